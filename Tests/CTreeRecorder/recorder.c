#define _GNU_SOURCE
#include "CTreeRecorder.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

// The program with all tests is linked with the other recorder, too, whose functions are then taken; both are silent there.
#pragma weak open
#pragma weak open64
#pragma weak openat
#pragma weak openat64
#pragma weak write
#pragma weak pwrite
#pragma weak pwrite64
#pragma weak ftruncate
#pragma weak ftruncate64
#pragma weak ioctl
#pragma weak fsync
#pragma weak fdatasync
#pragma weak syncfs
#pragma weak fstatfs
#pragma weak mkdir
#pragma weak mkdirat
#pragma weak symlink
#pragma weak symlinkat
#pragma weak unlink
#pragma weak unlinkat
#pragma weak rmdir
#pragma weak rename
#pragma weak renameat
#pragma weak renameat2
#pragma weak link
#pragma weak linkat
#pragma weak syscall
#pragma weak chmod
#pragma weak fchmod
#pragma weak fchown
#pragma weak fchownat
#pragma weak futimens
#pragma weak utimensat

// Kinds of records; Tests/StoreChangesTests/Interruptions/TreeLog.swift reads them.
enum kind {
    CREATE = 1, UNNAMED, FOLDER, SYMLINK, WRITE, TRUNCATE, SYNC, SYNC_FOLDER, SYNC_ALL, REMOVE, RENAME, EXCHANGE, LINK,
    STATUS, MARK
};

struct record {
    /// `folder` holds the (first) name, `other` the second; `inode` is what is made or changed.
    uint64_t kind, inode, folder, other, place, count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_on, log_descriptor = -1, fails_with, fails_once_with, fails_late_with, signal_number, refuses_exchange;
static long operations, dies_at, fails_at, fails_once_at, fails_late_at, signals_at, pretended_kind;
static char disturbing[4096];

// What is below the folder: device and inode of every folder, and inodes of its files.
static dev_t watched_device;
static ino_t *watched;
static size_t watched_count, watched_room;

static long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
    static long (*next)(long, ...);
    if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    if (!next) abort();
    return next(number, a, b, c, d, e, f);
}

static void watch(ino_t inode) {
    pthread_mutex_lock(&lock);
    if (watched_count == watched_room) {
        watched_room = watched_room ? 2 * watched_room : 256;
        watched = realloc(watched, watched_room * sizeof *watched);
        if (!watched) abort();
    }
    watched[watched_count++] = inode;
    pthread_mutex_unlock(&lock);
}

static int is_watched(const struct stat *status) {
    if (!is_on || status->st_dev != watched_device) return 0;
    int found = 0;
    pthread_mutex_lock(&lock);
    for (size_t index = 0; index < watched_count && !found; index++) found = watched[index] == status->st_ino;
    pthread_mutex_unlock(&lock);
    return found;
}

static void watch_below(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0) return;
    watch(status.st_ino);
    if (!S_ISDIR(status.st_mode)) return;
    DIR *folder = opendir(path);
    if (!folder) abort();
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char child[4096];
        if (snprintf(child, sizeof child, "%s/%s", path, entry->d_name) >= (int)sizeof child) abort();
        watch_below(child);
    }
    closedir(folder);
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

static void log_record(struct record record, const void *bytes, size_t count) {
    if (log_descriptor < 0) return;
    int code = errno;
    record.count = count;
    pthread_mutex_lock(&lock);
    put(&record, sizeof record);
    put(bytes, count);
    pthread_mutex_unlock(&lock);
    errno = code;
}

/// Counts an operation; one that the process shall not survive is not done.
static long next_operation(void) {
    long number = __atomic_add_fetch(&operations, 1, __ATOMIC_SEQ_CST);
    if (number == signals_at) {
        kill(getpid(), signal_number);
        usleep(30000);
    }
    if (number == dies_at) raw_syscall(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
    return number;
}

/// Whether this operation is to fail; sets errno. `needs_room`: it takes up room on the disk.
static int fails(long number, int needs_room) {
    if (fails_once_at == number) {
        errno = fails_once_with;
        return 1;
    }
    if (needs_room && fails_at > 0 && number >= fails_at) {
        errno = fails_with;
        return 1;
    }
    return 0;
}

/// The folder of a path, and its last component; NULL when the folder is not watched.
static const char *watched_name(int folder, const char *path, ino_t *inode) {
    if (!is_on) return NULL;
    int code = errno;
    struct stat status;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    const char *slash = memrchr(path, '/', length);
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
    if (found != 0 || !is_watched(&status)) return NULL;
    *inode = status.st_ino;
    return slash ? slash + 1 : path;
}

int tree_recorder_start(int descriptor, const char *folder) {
    struct stat status;
    if (stat(folder, &status) != 0) return errno;
    watched_device = status.st_dev;
    watch_below(folder);
    log_descriptor = descriptor;
    operations = 0;
    is_on = 1;
    return 0;
}

void tree_recorder_mark(const char *text, unsigned long count) {
    if (is_on) log_record((struct record){.kind = MARK}, text, count);
}

void tree_recorder_die_at(long operation) { dies_at = operation; }

void tree_recorder_fail_at(long operation, int code) {
    fails_with = code;
    fails_at = operation;
}

void tree_recorder_fail_once(long operation, int code) {
    fails_once_with = code;
    fails_once_at = operation;
}

void tree_recorder_fail_late(long operation, int code) {
    fails_late_with = code;
    fails_late_at = operation;
}

void tree_recorder_disturb(const char *path) {
    if (snprintf(disturbing, sizeof disturbing, "%s", path) >= (int)sizeof disturbing) abort();
}

void tree_recorder_signal_at(long operation, int signal) {
    signal_number = signal;
    signals_at = operation;
}

void tree_recorder_file_system(long kind) { pretended_kind = kind; }

void tree_recorder_no_exchange(void) { refuses_exchange = 1; }

long tree_recorder_count(void) { return operations; }

// MARK: - Opening

static int open_file(int folder, const char *path, int flags, mode_t mode) {
    int is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    ino_t parent = 0;
    const char *name = flags & (O_CREAT | O_TRUNC) && !is_unnamed ? watched_name(folder, path, &parent) : NULL;
    struct stat before;
    int code = errno;
    int was_there = name && fstatat(folder, path, &before, 0) == 0;
    errno = code;
    if (name && (!was_there || flags & O_TRUNC)) {
        if (fails(next_operation(), !was_there)) return -1;
    }
    int descriptor = (int)raw_syscall(SYS_openat, folder, (long)path, flags, mode, 0, 0);
    struct stat status;
    if (descriptor < 0 || (!name && !is_unnamed) || fstat(descriptor, &status) != 0) return descriptor;
    if (is_unnamed) {
        if (!is_on || status.st_dev != watched_device) return descriptor;
        watch(status.st_ino);
        log_record((struct record){.kind = UNNAMED, .inode = status.st_ino}, "", 0);
    } else if (!was_there) {
        watch(status.st_ino);
        log_record((struct record){.kind = CREATE, .inode = status.st_ino, .folder = parent}, name, strlen(name));
    } else if (flags & O_TRUNC) {
        log_record((struct record){.kind = TRUNCATE, .inode = status.st_ino}, "", 0);
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

static int is_watched_file(int descriptor, struct stat *status) {
    // The standard streams may be files, too.
    return is_on && descriptor > 2 && descriptor != log_descriptor && fstat(descriptor, status) == 0
        && S_ISREG(status->st_mode) && is_watched(status);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t place, int has_place) {
    struct stat status;
    int watched_file = is_watched_file(descriptor, &status);
    size_t allowed = count;
    if (watched_file && !has_place) {
        int flags = fcntl(descriptor, F_GETFL);
        place = flags & O_APPEND ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    if (watched_file) {
        long number = next_operation();
        if (fails(number, 1)) {
            // A sector of 512 bytes is written whole or not at all.
            off_t end = (place + (off_t)(count / 2)) & ~(off_t)511;
            if (number != fails_at || end <= place) return -1;
            allowed = (size_t)(end - place);
        }
    }
    ssize_t done = has_place ? raw_syscall(SYS_pwrite64, descriptor, (long)bytes, (long)allowed, place, 0, 0)
                             : raw_syscall(SYS_write, descriptor, (long)bytes, (long)allowed, 0, 0, 0);
    if (watched_file && done > 0) {
        log_record((struct record){.kind = WRITE, .inode = status.st_ino, .place = (uint64_t)place}, bytes, (size_t)done);
    }
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
    int watched_file = is_watched_file(descriptor, &status);
    if (watched_file && fails(next_operation(), 0)) return -1;
    int result = (int)raw_syscall(SYS_ftruncate, descriptor, size, 0, 0, 0, 0);
    if (watched_file && result == 0) {
        log_record((struct record){.kind = TRUNCATE, .inode = status.st_ino, .place = (uint64_t)size}, "", 0);
    }
    return result;
}

int ftruncate(int descriptor, off_t size) { return truncate_file(descriptor, size); }

int ftruncate64(int descriptor, off64_t size) { return truncate_file(descriptor, size); }

/// Sharing blocks is refused: what a file holds is then always seen as it is written.
int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    long argument = va_arg(list, long);
    va_end(list);
    struct stat status;
    if (request == _IOW(0x94, 9, int) && is_watched_file(descriptor, &status)) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)raw_syscall(SYS_ioctl, descriptor, (long)request, argument, 0, 0, 0);
}

static int sync_one(int descriptor, long call) {
    struct stat status;
    int code = errno;
    int is_known = is_on && descriptor > 2 && fstat(descriptor, &status) == 0 && is_watched(&status);
    errno = code;
    if (is_known && fails(next_operation(), 0)) return -1;
    int result = (int)raw_syscall(call, descriptor, 0, 0, 0, 0, 0);
    if (result == 0 && is_known) {
        enum kind kind = S_ISDIR(status.st_mode) ? SYNC_FOLDER : SYNC;
        log_record((struct record){.kind = kind, .inode = status.st_ino}, "", 0);
    }
    return result;
}

int fsync(int descriptor) { return sync_one(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return sync_one(descriptor, SYS_fdatasync); }

int syncfs(int descriptor) {
    struct stat status;
    int is_known = is_on && fstat(descriptor, &status) == 0 && is_watched(&status);
    if (is_known && fails(next_operation(), 0)) return -1;
    // The true one would wait for all that the machine writes.
    if (is_known) log_record((struct record){.kind = SYNC_ALL}, "", 0);
    return is_known ? 0 : (int)raw_syscall(SYS_syncfs, descriptor, 0, 0, 0, 0, 0);
}

int fstatfs(int descriptor, struct statfs *info) {
    int result = (int)raw_syscall(SYS_fstatfs, descriptor, (long)info, 0, 0, 0, 0);
    if (result == 0 && pretended_kind) info->f_type = pretended_kind;
    return result;
}

// MARK: - Names

static int make_folder(int folder, const char *path, mode_t mode) {
    ino_t parent = 0;
    const char *name = watched_name(folder, path, &parent);
    if (name && fails(next_operation(), 1)) return -1;
    int result = (int)raw_syscall(SYS_mkdirat, folder, (long)path, mode, 0, 0, 0);
    struct stat status;
    if (result == 0 && name && fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        watch(status.st_ino);
        log_record((struct record){.kind = FOLDER, .inode = status.st_ino, .folder = parent}, name, strlen(name));
    }
    return result;
}

int mkdir(const char *path, mode_t mode) { return make_folder(AT_FDCWD, path, mode); }

int mkdirat(int folder, const char *path, mode_t mode) { return make_folder(folder, path, mode); }

static int make_link(const char *target, int folder, const char *path) {
    ino_t parent = 0;
    const char *name = watched_name(folder, path, &parent);
    if (name && fails(next_operation(), 1)) return -1;
    int result = (int)raw_syscall(SYS_symlinkat, (long)target, folder, (long)path, 0, 0, 0);
    struct stat status;
    char both[8192];
    size_t name_count = name ? strlen(name) : 0, target_count = strlen(target);
    if (result == 0 && name && name_count + target_count + 1 < sizeof both
        && fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        memcpy(both, name, name_count + 1);
        memcpy(both + name_count + 1, target, target_count);
        log_record((struct record){.kind = SYMLINK, .inode = status.st_ino, .folder = parent}, both, name_count + 1 + target_count);
    }
    return result;
}

int symlink(const char *target, const char *path) { return make_link(target, AT_FDCWD, path); }

int symlinkat(const char *target, int folder, const char *path) { return make_link(target, folder, path); }

static int remove_name(int folder, const char *path, int flags) {
    ino_t parent = 0;
    const char *name = watched_name(folder, path, &parent);
    long number = name ? next_operation() : 0;
    if (name && fails(number, 0)) return -1;
    int result = (int)raw_syscall(SYS_unlinkat, folder, (long)path, flags, 0, 0, 0);
    if (result == 0 && name) {
        log_record((struct record){.kind = REMOVE, .folder = parent}, name, strlen(name));
        if (number == fails_late_at) {
            errno = fails_late_with;
            return -1;
        }
    }
    return result;
}

int unlink(const char *path) { return remove_name(AT_FDCWD, path, 0); }

int unlinkat(int folder, const char *path, int flags) { return remove_name(folder, path, flags); }

int rmdir(const char *path) { return remove_name(AT_FDCWD, path, AT_REMOVEDIR); }

static int rename_name(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
    ino_t from_folder = 0, to_folder = 0;
    const char *from = watched_name(old_folder, old, &from_folder), *to = watched_name(new_folder, new, &to_folder);
    char names[8192];
    size_t from_count = from ? strlen(from) : 0, to_count = to ? strlen(to) : 0;
    int is_known = from && to && from_count + to_count + 1 < sizeof names;
    if (is_known && flags & 2U && from[0] != '.' && disturbing[0]) {
        char path[4096];
        memcpy(path, disturbing, sizeof path);
        disturbing[0] = 0;
        int made = openat(old_folder, path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (made < 0 || close(made) != 0) abort();
    }
    long number = 0;
    if (is_known) {
        memcpy(names, from, from_count + 1);
        memcpy(names + from_count + 1, to, to_count);
        number = next_operation();
        if (fails(number, 0)) return -1;
    }
    if (flags & 2U && refuses_exchange) {
        errno = EINVAL;
        return -1;
    }
    int result = (int)raw_syscall(SYS_renameat2, old_folder, (long)old, new_folder, (long)new, flags, 0);
    if (result == 0 && is_known) {
        enum kind kind = flags & 2U ? EXCHANGE : RENAME;
        log_record(
            (struct record){.kind = kind, .folder = from_folder, .other = to_folder}, names, from_count + 1 + to_count);
        if (number == fails_late_at) {
            errno = fails_late_with;
            return -1;
        }
    }
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
    ino_t parent = 0;
    const char *name = watched_name(new_folder, new, &parent);
    if (name && fails(next_operation(), 1)) return -1;
    int result = (int)raw_syscall(SYS_linkat, old_folder, (long)old, new_folder, (long)new, flags, 0);
    struct stat status;
    if (result == 0 && name && fstatat(new_folder, new, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        log_record((struct record){.kind = LINK, .inode = status.st_ino, .folder = parent}, name, strlen(name));
    }
    return result;
}

int link(const char *old, const char *new) { return link_name(AT_FDCWD, old, AT_FDCWD, new, 0); }

int linkat(int old_folder, const char *old, int new_folder, const char *new, int flags) {
    return link_name(old_folder, old, new_folder, new, flags);
}

/// SystemIO renames without replacing through syscall(2).
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

// MARK: - Permissions, owners and times: counted, and of no consequence to what a folder holds

static int change_status(int folder, const char *path, int descriptor, long call, long a, long b, long c) {
    struct stat status;
    int code = errno;
    int is_known = is_on
        && (path ? fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) : fstat(descriptor, &status)) == 0
        && is_watched(&status);
    errno = code;
    if (is_known && fails(next_operation(), 0)) return -1;
    int result = (int)(path ? raw_syscall(call, folder, (long)path, a, b, c, 0)
                            : raw_syscall(call, descriptor, a, b, c, 0, 0));
    if (result == 0 && is_known) log_record((struct record){.kind = STATUS, .inode = status.st_ino}, "", 0);
    return result;
}

int chmod(const char *path, mode_t mode) { return change_status(AT_FDCWD, path, -1, SYS_fchmodat, mode, 0, 0); }

int fchmod(int descriptor, mode_t mode) { return change_status(0, NULL, descriptor, SYS_fchmod, mode, 0, 0); }

int fchown(int descriptor, uid_t owner, gid_t group) {
    return change_status(0, NULL, descriptor, SYS_fchown, owner, group, 0);
}

int fchownat(int folder, const char *path, uid_t owner, gid_t group, int flags) {
    return change_status(folder, path, -1, SYS_fchownat, owner, group, flags);
}

int futimens(int descriptor, const struct timespec times[2]) {
    // utimensat(2) without a path.
    return change_status(0, NULL, descriptor, SYS_utimensat, 0, (long)times, 0);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
    return change_status(folder, path, -1, SYS_utimensat, (long)times, flags, 0);
}
