/* Data of initializers in files beside the model: TensorProto.external_data. A file is inside of the model's folder, reached
   without `..` and without symbolic links, and regular; it is read by offset and length, which are checked against its size
   before memory is allocated. Written: all tensors of at least EXTERNAL_LEAST bytes in one file, each at a multiple of a page,
   as the format asks for. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "onnx/onnx_internal.h"

enum { EXTERNAL_LEAST = 4096, EXTERNAL_ALIGN = 4096 };

static enum calque_status bad(const struct onnx_file *f, const Onnx__TensorProto *p, const char *where, const char *what)
{
    char s[ONNX_SHOW], t[ONNX_SHOW];

    return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0, "tensor '%s': its data in '%s': %s", onnx_show(s, p->name ? p->name : ""),
                    onnx_show(t, where), what);
}

/* Opens the next part of the location, of n bytes, and closes the folder. */
static int step(int folder, const char *part, size_t n, bool last)
{
    char name[256];
    int fd = -1;

    if (n > 0 && n < sizeof name && !(n == 2 && memcmp(part, "..", 2) == 0)) {
        memcpy(name, part, n);
        name[n] = '\0';
        fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (last ? O_NONBLOCK : O_DIRECTORY));
    } else {
        errno = EINVAL;
    }
    close(folder);
    return fd;
}

/* A descriptor, or -1 and errno; EINVAL: the location is no path inside of a folder. */
static int open_inside(const char *folder, const char *location)
{
    int fd;

    if (location[0] == '\0' || location[0] == '/') {
        errno = EINVAL;
        return -1;
    }
    fd = open(folder[0] ? folder : ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    while (fd >= 0) {
        size_t n = strcspn(location, "/");
        bool last = location[n] == '\0';
        if (n == 1 && location[0] == '.' && !last) {
            location += 2;
            continue;
        }
        fd = step(fd, location, n, last);
        if (last)
            break;
        location += n + 1;
    }
    return fd;
}

static bool number(const char *s, uint64_t *x)
{
    *x = 0;
    if (!*s)
        return false;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (*x > (UINT64_MAX - 9) / 10)
            return false;
        *x = *x * 10 + (uint64_t)(*s - '0');
    }
    return *s == '\0';
}

/* All n bytes from the offset on; 0, or what is wrong. */
static const char *read_all(int fd, unsigned char *data, size_t n, uint64_t offset)
{
    for (size_t at = 0; at < n;) {
        ssize_t k = pread(fd, data + at, n - at, (off_t)(offset + at));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return k < 0 ? strerror(errno) : "the file became shorter";
        at += (size_t)k;
    }
    return NULL;
}

static enum calque_status load(const struct onnx_file *f, const Onnx__TensorProto *p, const char *location, uint64_t offset,
                               size_t bytes, void **data)
{
    int fd = open_inside(f->folder, location);
    const char *wrong = NULL;
    struct stat s;

    if (fd < 0)
        return bad(f, p, location, errno == EINVAL ? "no path inside of the model's folder"
                                   : errno == ELOOP ? "a symbolic link is not followed"
                                                    : strerror(errno));
    if (fstat(fd, &s) != 0)
        wrong = strerror(errno);
    else if (!S_ISREG(s.st_mode))
        wrong = "no regular file";
    else if (offset > (uint64_t)s.st_size || bytes > (uint64_t)s.st_size - offset)
        wrong = "the file ends before the data does";
    if (!wrong && bytes > 0) {
        *data = mem_resize(f->mem, NULL, bytes, 1);
        wrong = *data ? read_all(fd, *data, bytes, offset) : NULL;
    }
    close(fd);
    if (wrong) {
        mem_free(*data);
        *data = NULL;
        return bad(f, p, location, wrong);
    }
    return bytes > 0 && !*data ? diag_nomem(f->diag) : CALQUE_OK;
}

bool onnx_is_external(const Onnx__TensorProto *p)
{
    return p->n_external_data > 0 ||
           (p->has_data_location && p->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL);
}

enum calque_status onnx_external_take(const struct onnx_file *f, const Onnx__TensorProto *p, size_t bytes, void **data)
{
    const char *location = NULL;
    uint64_t offset = 0, length = bytes;

    *data = NULL;
    for (size_t i = 0; i < p->n_external_data; i++) {
        const char *key = p->external_data[i]->key, *value = p->external_data[i]->value;
        if (!key || !value)
            continue;
        if (strcmp(key, "location") == 0)
            location = value;
        else if (strcmp(key, "offset") == 0 ? !number(value, &offset) : strcmp(key, "length") == 0 && !number(value, &length))
            return bad(f, p, location ? location : "", "an offset or a length is no number");
    }
    if (!location)
        return bad(f, p, "", "no location is given");
    if (!f->folder)
        return bad(f, p, location, "other files are not read here");
    if (length != bytes)
        return bad(f, p, location, "its length is not what the dimensions say");
    return load(f, p, location, offset, bytes, data);
}

/* ---- writing ---- */

bool onnx_is_outside(const struct onnx_external *x, const struct tensor *t)
{
    return x && t->bytes >= EXTERNAL_LEAST;
}

enum calque_status onnx_external_room(struct onnx_external *x, const struct graph *g, struct diag *d)
{
    size_t n = 0;

    for (int i = 0; i < g->node.n; i++) {
        const struct tensor *t = graph_tensor(g, i);
        if (!t || !onnx_is_outside(x, t))
            continue;
        if (t->bytes > SIZE_MAX / 4 || n > SIZE_MAX / 4)
            return diag_set(d, CALQUE_LIMIT, "", 0, 0, "the weights are too large");
        n += (t->bytes + EXTERNAL_ALIGN - 1) / EXTERNAL_ALIGN * EXTERNAL_ALIGN;
    }
    x->data = mem_zero(g->mem, n + 1, 1);
    x->n = 0;
    return x->data ? CALQUE_OK : diag_nomem(d);
}

void onnx_external_put(struct onnx_external *x, struct text *out, unsigned field, const char *name, const struct tensor *t)
{
    Onnx__TensorProto p = ONNX__TENSOR_PROTO__INIT;
    Onnx__StringStringEntryProto entry[3], *entries[3];
    static char keys[3][16] = { "location", "offset", "length" };
    char offset[24], length[24];
    char *values[3] = { (char *)(uintptr_t)x->location, offset, length }; /* only read */
    int64_t dims[RANK_MAX];

    snprintf(offset, sizeof offset, "%zu", x->n);
    snprintf(length, sizeof length, "%zu", t->bytes);
    for (int i = 0; i < 3; i++) {
        onnx__string_string_entry_proto__init(&entry[i]);
        entry[i].key = keys[i];
        entry[i].value = values[i];
        entries[i] = &entry[i];
    }
    for (int i = 0; i < t->shape.rank; i++)
        dims[i] = t->shape.dim[i];
    p.n_dims = (size_t)t->shape.rank;
    p.dims = dims;
    p.has_data_type = 1;
    p.data_type = t->dtype;
    p.name = (char *)(uintptr_t)name; /* only read */
    p.n_external_data = 3;
    p.external_data = entries;
    p.has_data_location = 1;
    p.data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    wire_put_message(out, field, &p.base);
    memcpy(x->data + x->n, t->data, t->bytes);
    x->n += (t->bytes + EXTERNAL_ALIGN - 1) / EXTERNAL_ALIGN * EXTERNAL_ALIGN;
}
