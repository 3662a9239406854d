#ifndef SXKEY_CLINUX_SHIM_H
#define SXKEY_CLINUX_SHIM_H

// What Swift cannot call by itself: variadic functions, macros with expressions, and calls behind _GNU_SOURCE.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Flags of an unnamed file (open(2), O_TMPFILE), which hides behind _GNU_SOURCE.
static const int sx_O_TMPFILE = 020000000 | O_DIRECTORY;

/// Flag of a descriptor that only names a folder (open(2), O_PATH).
static const int sx_O_PATH = 010000000;

/// No core file and no ptrace by other processes of the same user (prctl(2), PR_SET_DUMPABLE).
static inline int sx_set_not_dumpable(void) {
    return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
}

/// No program that is run from here on gets more rights than this one has (prctl(2), PR_SET_NO_NEW_PRIVS).
static inline int sx_set_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
}

/// In the child every descriptor from `lowest` on is closed (glibc 2.34, behind _GNU_SOURCE).
///
/// spawn.h is not included: with _GNU_SOURCE it brings an fd_set that is not the one of Swift's Glibc.
static inline int sx_spawn_closing_from(void *actions, int lowest) {
    extern int posix_spawn_file_actions_addclosefrom_np(void *, int);
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

/// A file in memory without a name, that programs started from here do not have (memfd_create(2), MFD_CLOEXEC); -1 on failure.
static inline int sx_memory_file(void) {
    return (int)syscall(SYS_memfd_create, "sxkey", 1U);
}

/// renameat2(2) with RENAME_NOREPLACE: EEXIST instead of replacing.
static inline int sx_rename_without_replacing(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    return (int)syscall(SYS_renameat2, old_folder, old_name, new_folder, new_name, 1U);
}

/// renameat2(2) with RENAME_EXCHANGE: each of the two names stands for what the other stood for, in one step.
///
/// Through the C library's own function and not syscall(2), so that a test can stand in front of it.
static inline int sx_rename_exchanging(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    extern int renameat2(int, const char *, int, const char *, unsigned int);
    return renameat2(old_folder, old_name, new_folder, new_name, 2U);
}

/// Makes `target` share the blocks of `source` where the file system can (ioctl_ficlone(2)).
static inline int sx_clone_file(int target, int source) {
    return ioctl(target, _IOW(0x94, 9, int), source);
}

/// The magic number of the file system that an open file is on (statfs(2)), -1 when the kernel does not say.
static inline long sx_file_system_kind(int descriptor) {
    struct statfs info;
    return fstatfs(descriptor, &info) == 0 ? (long)(unsigned long)(unsigned int)info.f_type : -1;
}

/// Begins to write what of a file is not on the disk yet, and does not wait (sync_file_range(2), behind _GNU_SOURCE).
static inline int sx_begin_writeback(int descriptor) {
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/// syncfs(2), behind _GNU_SOURCE.
static inline int sx_sync_file_system(int descriptor) {
    return syncfs(descriptor);
}

/// Processors that this process may run on (sched_getaffinity(2)), 0 when the kernel does not say.
static inline int sx_processor_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

/// 1 for a pipe of pipe(2), which lives on pipefs (PIPEFS_MAGIC of linux/magic.h); 0 for a named one or an error.
static inline int sx_is_unnamed_pipe(int descriptor) {
    struct statfs info;
    return fstatfs(descriptor, &info) == 0 && info.f_type == 0x50495045;
}

#endif
