/* Files that are written as a whole or not at all. Each is written and synced under an unpredictable name in its directory, with
   the mode and owner of the file it replaces; then all are renamed. Symbolic links are followed; a device, a FIFO and what is
   standard output are written in place. A failure changes none and leaves nothing. When the process is killed between two
   renames (or the machine stops) each file is still whole, old or new, and temporaries .NAME.* are left beside them. */
#ifndef CALQUE_BASE_FILE_H
#define CALQUE_BASE_FILE_H

#include "base/mem.h"
#include "base/status.h"

struct file_out;
struct file_set {
    struct mem *mem;
    struct { struct file_out **a; int n, cap; } file;
};

void file_set_init(struct file_set *s, struct mem *mem);
/* The bytes are on the disk when this returns, but not yet under that name; data must outlive the set. */
enum calque_status file_set_add(struct file_set *s, const char *path, const void *data, size_t n, struct diag *d);
/* All files get their names, or none. */
enum calque_status file_set_commit(struct file_set *s, struct diag *d);
/* Removes what was not committed. */
void file_set_free(struct file_set *s);

/* All n bytes to the descriptor, however many writes and signals that takes. */
bool file_put(int fd, const void *data, size_t n);

/* From now on SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM remove temporaries before they end the process, and a limit of file
   size is an error, not a signal. A signal that is ignored stays so. */
void file_catch_signals(void);

#endif
