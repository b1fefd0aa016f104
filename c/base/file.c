/* Writing files: each is staged beside its place, then all are renamed. Invariant: until the first rename nothing
   that was there is changed, and after a failure each old file is back; temporaries are listed, so that a signal
   removes them. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

enum { FILE_PATH = 4096, FILE_LINKS = 40, FILE_TRIES = 100 };

struct file_out {
    char path[FILE_PATH];   /* links followed */
    char temp[FILE_PATH];   /* a neighbour of path; "" when there is none */
    char backup[FILE_PATH]; /* while a set is renamed: what path was; "" */
    const void *data;       /* of a device or FIFO */
    size_t n;
    int fd;                 /* standard output or error, which it is, or -1 */
    bool direct;
    struct file_out *next;  /* of those with a temporary */
};

/* Whoever holds `busy` changes the list of temporaries and the files that it names. A signal that comes meanwhile waits. */
static atomic_int busy, waiting;
static struct file_out *temporaries;

static bool try_lock(void)
{
    int no = 0;

    return atomic_compare_exchange_strong(&busy, &no, 1);
}

static void lock(void)
{
    while (!try_lock())
        ;
}

static void unlock(void)
{
    int sig;

    atomic_store(&busy, 0);
    sig = atomic_exchange(&waiting, 0);
    if (sig)
        raise(sig);
}

/* Only what is safe in a signal handler. busy stays: no more files. */
static void on_signal(int sig)
{
    struct sigaction act = { .sa_handler = SIG_DFL };
    int e = errno;

    atomic_store(&waiting, sig);
    if (!try_lock()) {
        errno = e;
        return;
    }
    for (const struct file_out *o = temporaries; o; o = o->next)
        unlink(o->temp);
    sigemptyset(&act.sa_mask);
    sigaction(sig, &act, NULL);
    raise(sig); /* blocked until this returns */
}

void file_catch_signals(void)
{
    static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM };
    struct sigaction act = { .sa_handler = on_signal }, old;

    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &act, NULL);
    act.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &act, NULL);
}

static enum calque_status fail(struct diag *d, const char *path, const char *what)
{
    return diag_set(d, CALQUE_IO, path, 0, 0, "%s: %s", what, strerror(errno));
}

/* Replaces path by what it is a link to, which need not exist. */
static bool follow(char *path)
{
    char to[FILE_PATH];

    for (int i = 0; i < FILE_LINKS; i++) {
        struct stat s;
        char *slash = strrchr(path, '/');
        size_t dir = slash ? (size_t)(slash - path) + 1 : 0;
        ssize_t n;
        if (lstat(path, &s) != 0 || !S_ISLNK(s.st_mode))
            return true;
        n = readlink(path, to, sizeof to - 1);
        if (n < 0)
            return false;
        dir = to[0] == '/' ? 0 : dir;
        if (dir + (size_t)n >= FILE_PATH) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(path + dir, to, (size_t)n);
        path[dir + (size_t)n] = '\0';
    }
    errno = ELOOP;
    return false;
}

/* .NAME.RANDOM in the directory of path. */
static bool neighbour(const char *path, char *out)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    unsigned char r[16];
    char random[sizeof r + 1] = "";
    struct timespec now;

    if (getrandom(r, sizeof r, 0) != (ssize_t)sizeof r) { /* the name is then unused only */
        clock_gettime(CLOCK_REALTIME, &now);
        for (size_t i = 0; i < sizeof r; i++)
            r[i] = (unsigned char)((unsigned long)now.tv_nsec * 2654435761ul >> i ^ (unsigned long)getpid() >> i);
    }
    for (size_t i = 0; i < sizeof r; i++)
        random[i] = digits[r[i] & 31];
    if (snprintf(out, FILE_PATH, "%.*s.%.200s.%s", (int)(name - path), path, name, random) < FILE_PATH)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* Opens a new file beside o->path and enters it into the list. */
static int open_temporary(struct file_out *o, mode_t mode)
{
    int fd = -1;

    for (int i = 0; fd < 0 && i < FILE_TRIES; i++) {
        if (!neighbour(o->path, o->temp))
            break;
        lock();
        fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) {
            o->next = temporaries;
            temporaries = o;
        }
        unlock();
        if (fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (fd < 0)
        o->temp[0] = '\0';
    return fd;
}

/* Holding busy. */
static void forget(struct file_out *o)
{
    for (struct file_out **p = &temporaries; *p; p = &(*p)->next)
        if (*p == o) {
            *p = o->next;
            break;
        }
    o->temp[0] = '\0';
}

static void remove_temporary(struct file_out *o)
{
    if (!o->temp[0])
        return;
    lock();
    unlink(o->temp);
    forget(o);
    unlock();
}

bool file_put(int fd, const void *data, size_t n)
{
    const char *p = data;

    while (n > 0) {
        ssize_t k = write(fd, p, n);
        if (k < 0 && errno != EINTR)
            return false;
        p += k < 0 ? 0 : k;
        n -= k < 0 ? 0 : (size_t)k;
    }
    return true;
}

/* Mode and owner of the file that is replaced; a new one has what the umask says. */
static bool keep_mode(int fd, const struct stat *old)
{
    struct stat s;

    if (fstat(fd, &s) != 0)
        return false;
    if ((old->st_uid != s.st_uid || old->st_gid != s.st_gid) && fchown(fd, old->st_uid, old->st_gid) != 0) {
        /* only the superuser gives files away: the new owner is who wrote it */
    }
    return fchmod(fd, old->st_mode & 0777) == 0;
}

static enum calque_status write_temporary(struct file_out *o, const char *path, const struct stat *old, const void *data, size_t n,
                                          struct diag *d)
{
    int fd = open_temporary(o, old ? 0600 : 0666), e;
    bool ok;

    if (fd < 0)
        return fail(d, path, "cannot create");
    ok = file_put(fd, data, n) && (!old || keep_mode(fd, old)) && (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP);
    e = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        e = errno;
    }
    if (ok)
        return CALQUE_OK;
    remove_temporary(o);
    errno = e;
    return fail(d, path, "cannot write");
}

/* The one of standard output and error that the file is, or -1. */
static int standard(const struct stat *s)
{
    struct stat own;

    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &own) == 0 && own.st_dev == s->st_dev && own.st_ino == s->st_ino)
            return fd;
    return -1;
}

static enum calque_status stage(struct file_out *o, const char *path, const void *data, size_t n, struct diag *d)
{
    struct stat s;
    bool is = stat(path, &s) == 0;

    o->temp[0] = o->backup[0] = '\0';
    o->data = data;
    o->n = n;
    o->fd = -1;
    o->direct = false;
    if (snprintf(o->path, sizeof o->path, "%s", path) >= (int)sizeof o->path) {
        errno = ENAMETOOLONG;
        return fail(d, path, "cannot write");
    }
    if (strcmp(path, "-") == 0) {
        o->fd = STDOUT_FILENO;
        o->direct = true;
        return CALQUE_OK;
    }
    if (is && S_ISDIR(s.st_mode))
        return diag_set(d, CALQUE_IO, path, 0, 0, "cannot write: it is a directory");
    o->fd = is ? standard(&s) : -1;
    o->direct = o->fd >= 0 || (is && !S_ISREG(s.st_mode));
    if (o->direct)
        return CALQUE_OK;
    if (!follow(o->path))
        return fail(d, path, "cannot write");
    if (is && faccessat(AT_FDCWD, o->path, W_OK, AT_EACCESS) != 0)
        return fail(d, path, "cannot write");
    return write_temporary(o, path, is ? &s : NULL, data, n, d);
}

static enum calque_status write_direct(const struct file_out *o, struct diag *d)
{
    int fd = o->fd;
    bool ok;

    if (fd >= 0) {
        ok = fflush(stdout) == 0 && file_put(fd, o->data, o->n);
    } else {
        fd = open(o->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
        if (fd < 0)
            return fail(d, o->path, "cannot open");
        ok = file_put(fd, o->data, o->n);
        ok = close(fd) == 0 && ok;
    }
    return ok ? CALQUE_OK : fail(d, o->path, "cannot write");
}

/* What is there gets a second name, so that it can come back; where there are no second names it gives its own away. */
static bool keep_old(struct file_out *o)
{
    struct stat s;

    if (lstat(o->path, &s) != 0)
        return errno == ENOENT;
    if (!S_ISREG(s.st_mode)) { /* it was when the temporary was written */
        errno = EEXIST;
        return false;
    }
    if (snprintf(o->backup, sizeof o->backup, "%s~", o->temp) >= (int)sizeof o->backup) {
        o->backup[0] = '\0';
        errno = ENAMETOOLONG;
        return false;
    }
    if (link(o->path, o->backup) == 0 || rename(o->path, o->backup) == 0)
        return true;
    o->backup[0] = '\0';
    return errno == ENOENT;
}

/* The last one did not get its name. */
static void undo(struct file_out *const *a, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        if (a[i]->direct)
            continue;
        if (a[i]->backup[0]) {
            rename(a[i]->backup, a[i]->path);
            unlink(a[i]->backup); /* it is still there when both were names of one file */
            a[i]->backup[0] = '\0';
        } else if (i < n - 1) {
            unlink(a[i]->path);
        }
    }
}

/* Holding busy. An old file that is one of a set is kept until all have their names. */
static enum calque_status rename_all(struct file_out *const *a, int n, struct diag *d)
{
    for (int i = 0; i < n; i++) {
        struct file_out *o = a[i];
        bool ok;
        if (o->direct)
            continue;
        ok = n == 1 || keep_old(o);
        if (!ok || rename(o->temp, o->path) != 0) {
            enum calque_status st = fail(d, o->path, "cannot write");
            if (n > 1)
                undo(a, i + 1);
            return st;
        }
    }
    for (int i = 0; i < n; i++) {
        if (a[i]->backup[0])
            unlink(a[i]->backup);
        if (!a[i]->direct)
            forget(a[i]);
    }
    return CALQUE_OK;
}

/* The directory of o, or -1. */
static int open_directory(const struct file_out *o)
{
    char dir[FILE_PATH];
    const char *slash = strrchr(o->path, '/');

    if (o->direct)
        return -1;
    snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - o->path) + 1 : 1, slash ? o->path : ".");
    return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static enum calque_status commit(struct file_out *const *a, int n, struct diag *d)
{
    enum calque_status st = CALQUE_OK;
    int dir;

    for (int i = 0; i < n && st == CALQUE_OK; i++)
        if (a[i]->direct)
            st = write_direct(a[i], d);
    if (n == 0 || st != CALQUE_OK)
        return st;
    dir = open_directory(a[n - 1]);
    if (dir >= 0 && n > 1) /* of two processes that write the directory one does it wholly after the other */
        while (flock(dir, LOCK_EX) != 0 && errno == EINTR)
            ;
    lock();
    st = rename_all(a, n, d);
    unlock();
    if (dir >= 0) {
        fsync(dir);
        close(dir);
    }
    return st;
}

enum calque_status file_write(const char *path, const void *data, size_t n, struct diag *d)
{
    struct file_out o, *const one = &o;
    enum calque_status st = stage(&o, path, data, n, d);

    if (st == CALQUE_OK)
        st = commit(&one, 1, d);
    remove_temporary(&o);
    return st;
}

void file_set_init(struct file_set *s, struct mem *mem)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
}

enum calque_status file_set_add(struct file_set *s, const char *path, const void *data, size_t n, struct diag *d)
{
    struct file_out *o;
    enum calque_status st;

    if (!vec_room(s->mem, &s->file, 1) || !(o = mem_zero(s->mem, 1, sizeof *o)))
        return diag_nomem(d);
    st = stage(o, path, data, n, d);
    if (st == CALQUE_OK)
        s->file.a[s->file.n++] = o;
    else
        mem_free(o);
    return st;
}

enum calque_status file_set_commit(struct file_set *s, struct diag *d)
{
    return commit(s->file.a, s->file.n, d);
}

void file_set_free(struct file_set *s)
{
    for (int i = 0; i < s->file.n; i++) {
        remove_temporary(s->file.a[i]);
        mem_free(s->file.a[i]);
    }
    mem_free(s->file.a);
    memset(&s->file, 0, sizeof s->file);
}
