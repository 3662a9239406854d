#define _GNU_SOURCE
#include "CDiskRecorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Kinds of records; Tests/SQLiteDatabaseTests/PowerCuts/DiskLog.swift reads them.
enum kind {
    CREATE = 1, UNNAMED, WRITE, TRUNCATE, SYNC, SYNC_FOLDER, UNLINK, RENAME, LINK, MARK, CLOSED
};

struct record {
    uint64_t kind, inode, place, count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_on, log_descriptor = -1;
static dev_t folder_device;
static ino_t folder_inode;
static long operations, dies_at, fails_at;
static int fails_with;

// The C library's own function behind the one of this file.
#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

static long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
    static long (*next)(long, ...);
    if (!next) next = (long (*)(long, ...))real("syscall");
    return next(number, a, b, c, d, e, f);
}

static void put(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        long done = raw_syscall(SYS_write, log_descriptor, (long)next, (long)count, 0, 0, 0);
        if (done <= 0) abort();
        next += done;
        count -= (size_t)done;
    }
}

static void log_record(enum kind kind, ino_t inode, uint64_t place, const void *bytes, size_t count) {
    if (log_descriptor < 0) return;
    int code = errno;
    struct record record = {kind, inode, place, count};
    pthread_mutex_lock(&lock);
    put(&record, sizeof record);
    put(bytes, count);
    pthread_mutex_unlock(&lock);
    errno = code;
}

/// Counts an operation; one that the process shall not survive is not done.
static long next_operation(void) {
    long number = __atomic_add_fetch(&operations, 1, __ATOMIC_SEQ_CST);
    if (number == dies_at) raw_syscall(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
    return number;
}

static int write_fails(long number) { return fails_at > 0 && number >= fails_at; }

static int is_watched_file(int descriptor, struct stat *status) {
    // The standard streams may be files, too.
    return is_on && descriptor > 2 && fstat(descriptor, status) == 0 && S_ISREG(status->st_mode) && status->st_dev == folder_device;
}

/// The last component of `path` when it is in the watched folder, else NULL.
static const char *watched_name(int folder, const char *path) {
    if (!is_on) return NULL;
    int code = errno;
    struct stat status;
    const char *slash = strrchr(path, '/');
    int found;
    if (slash) {
        size_t count = (size_t)(slash - path);
        char parent[4096];
        if (count >= sizeof parent) return NULL;
        memcpy(parent, path, count);
        parent[count] = 0;
        found = fstatat(folder, count ? parent : "/", &status, 0);
    } else {
        found = folder == AT_FDCWD ? stat(".", &status) : fstat(folder, &status);
    }
    errno = code;
    if (found != 0 || status.st_ino != folder_inode || status.st_dev != folder_device) return NULL;
    return slash ? slash + 1 : path;
}

int disk_recorder_start(int descriptor, const char *folder) {
    struct stat status;
    if (stat(folder, &status) != 0) return errno;
    folder_device = status.st_dev;
    folder_inode = status.st_ino;
    log_descriptor = descriptor;
    operations = 0;
    is_on = 1;
    return 0;
}

void disk_recorder_mark(const char *text, unsigned long count) {
    if (is_on) log_record(MARK, 0, 0, text, count);
}

void disk_recorder_die_at(long operation) { dies_at = operation; }

void disk_recorder_fail_writes_at(long operation, int code) {
    fails_with = code;
    fails_at = operation;
}

long disk_recorder_count(void) { return operations; }

// MARK: - Opening

static int open_file(int folder, const char *path, int flags, mode_t mode) {
    int is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    const char *name = flags & (O_CREAT | O_TRUNC) && !is_unnamed ? watched_name(folder, path) : NULL;
    struct stat before;
    int code = errno;
    int was_there = name && fstatat(folder, path, &before, 0) == 0;
    errno = code;
    if (name) next_operation();
    int descriptor = (int)raw_syscall(SYS_openat, folder, (long)path, flags, mode, 0, 0);
    struct stat status;
    if (descriptor >= 0 && (name || is_unnamed) && is_watched_file(descriptor, &status)) {
        if (is_unnamed) log_record(UNNAMED, status.st_ino, 0, "", 0);
        else if (!was_there) log_record(CREATE, status.st_ino, 0, name, strlen(name));
        else if (flags & O_TRUNC) log_record(TRUNCATE, status.st_ino, 0, "", 0);
    }
    return descriptor;
}

#define OPENER(name, folder_parameter, folder)                              \
    int name(folder_parameter const char *path, int flags, ...) {           \
        mode_t mode = 0;                                                     \
        if (flags & (O_CREAT | O_TMPFILE)) {                                 \
            va_list list;                                                    \
            va_start(list, flags);                                           \
            mode = va_arg(list, mode_t);                                     \
            va_end(list);                                                    \
        }                                                                    \
        return open_file(folder, path, flags, mode);                         \
    }

#define NO_PARAMETER
#define FOLDER_PARAMETER int folder,
OPENER(open, NO_PARAMETER, AT_FDCWD)
OPENER(open64, NO_PARAMETER, AT_FDCWD)
OPENER(openat, FOLDER_PARAMETER, folder)
OPENER(openat64, FOLDER_PARAMETER, folder)

// MARK: - Content

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t place, int has_place) {
    struct stat status;
    int is_watched = is_watched_file(descriptor, &status);
    size_t allowed = count;
    if (is_watched && !has_place) {
        int flags = fcntl(descriptor, F_GETFL);
        place = flags & O_APPEND ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    if (is_watched) {
        long number = next_operation();
        if (write_fails(number)) {
            if (number > fails_at) {
                errno = fails_with;
                return -1;
            }
            // A sector of 512 bytes is written whole or not at all.
            off_t end = (place + (off_t)(count / 2)) & ~(off_t)511;
            if (end <= place) {
                errno = fails_with;
                return -1;
            }
            allowed = (size_t)(end - place);
        }
    }
    ssize_t done = has_place ? raw_syscall(SYS_pwrite64, descriptor, (long)bytes, (long)allowed, place, 0, 0)
                             : raw_syscall(SYS_write, descriptor, (long)bytes, (long)allowed, 0, 0, 0);
    if (is_watched && done > 0) log_record(WRITE, status.st_ino, (uint64_t)place, bytes, (size_t)done);
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return write_at(descriptor, bytes, count, 0, 0); }

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t place) {
    return write_at(descriptor, bytes, count, place, 1);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t place) {
    return write_at(descriptor, bytes, count, place, 1);
}

static int truncate_file(int descriptor, off_t size) {
    struct stat status;
    int is_watched = is_watched_file(descriptor, &status);
    if (is_watched) next_operation();
    int result = (int)raw_syscall(SYS_ftruncate, descriptor, size, 0, 0, 0, 0);
    if (is_watched && result == 0) log_record(TRUNCATE, status.st_ino, (uint64_t)size, "", 0);
    return result;
}

int ftruncate(int descriptor, off_t size) { return truncate_file(descriptor, size); }

int ftruncate64(int descriptor, off64_t size) { return truncate_file(descriptor, size); }

static int sync_file(int descriptor, long call) {
    struct stat status;
    int code = errno;
    int is_file = is_watched_file(descriptor, &status);
    int is_folder = is_on && !is_file && fstat(descriptor, &status) == 0 && status.st_ino == folder_inode
        && status.st_dev == folder_device;
    errno = code;
    if (is_file || is_folder) next_operation();
    int result = (int)raw_syscall(call, descriptor, 0, 0, 0, 0, 0);
    if (result == 0 && is_file) log_record(SYNC, status.st_ino, 0, "", 0);
    if (result == 0 && is_folder) log_record(SYNC_FOLDER, status.st_ino, 0, "", 0);
    return result;
}

int fsync(int descriptor) { return sync_file(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return sync_file(descriptor, SYS_fdatasync); }

// MARK: - Names

static int unlink_name(int folder, const char *path, int flags) {
    const char *name = watched_name(folder, path);
    if (name) next_operation();
    int result = (int)raw_syscall(SYS_unlinkat, folder, (long)path, flags, 0, 0, 0);
    if (result == 0 && name) log_record(UNLINK, 0, 0, name, strlen(name));
    return result;
}

int unlink(const char *path) { return unlink_name(AT_FDCWD, path, 0); }

int unlinkat(int folder, const char *path, int flags) { return unlink_name(folder, path, flags); }

static int rename_name(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
    const char *from = watched_name(old_folder, old), *to = watched_name(new_folder, new);
    char names[8192];
    size_t from_count = from ? strlen(from) : 0, to_count = to ? strlen(to) : 0;
    int is_watched = from && to && from_count + to_count + 1 < sizeof names;
    if (is_watched) {
        memcpy(names, from, from_count + 1);
        memcpy(names + from_count + 1, to, to_count);
        next_operation();
    }
    int result = (int)raw_syscall(SYS_renameat2, old_folder, (long)old, new_folder, (long)new, flags, 0);
    if (result == 0 && is_watched) log_record(RENAME, 0, 0, names, from_count + 1 + to_count);
    return result;
}

int rename(const char *old, const char *new) { return rename_name(AT_FDCWD, old, AT_FDCWD, new, 0); }

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
    return rename_name(old_folder, old, new_folder, new, 0);
}

int renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
    return rename_name(old_folder, old, new_folder, new, flags);
}

static int link_name(int old_folder, const char *old, int new_folder, const char *new, int flags) {
    const char *name = watched_name(new_folder, new);
    if (name) next_operation();
    int result = (int)raw_syscall(SYS_linkat, old_folder, (long)old, new_folder, (long)new, flags, 0);
    struct stat status;
    if (result == 0 && name && fstatat(new_folder, new, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        log_record(LINK, status.st_ino, 0, name, strlen(name));
    }
    return result;
}

int link(const char *old, const char *new) { return link_name(AT_FDCWD, old, AT_FDCWD, new, 0); }

int linkat(int old_folder, const char *old, int new_folder, const char *new, int flags) {
    return link_name(old_folder, old, new_folder, new, flags);
}

/// SystemIO renames without replacing through syscall(2), as older C libraries have no function for it.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_renameat2) {
        return rename_name((int)a, (const char *)b, (int)c, (const char *)d, (unsigned)e);
    }
    return raw_syscall(number, a, b, c, d, e, f);
}
