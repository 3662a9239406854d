#ifndef CTREERECORDER_H
#define CTREERECORDER_H

// Stands in front of the C library's calls that change files and folders, in the program that is linked with it. It records
// what happens below one folder, and can make an operation fail or be the last thing the process does.

/// Begins to record what happens below `folder` into the descriptor `log`; -1 records nothing, and only counts.
/// Gives 0, or an errno.
int tree_recorder_start(int log, const char *folder);

/// Writes a mark of `count` bytes between the operations.
void tree_recorder_mark(const char *text, unsigned long count);

/// The process kills itself, as `kill -9` would, instead of the operation with this number (from 1, since the start).
void tree_recorder_die_at(long operation);

/// From the operation with this number on (from 1, since the start) everything that takes up room on the disk fails with
/// `code`; a write that is the first of them writes about half of its sectors before. 0 ends it.
void tree_recorder_fail_at(long operation, int code);

/// Only the operation with this number fails, with `code`; 0 ends it.
void tree_recorder_fail_once(long operation, int code);

/// The rename, exchange or removal with this number is done, and fails all the same with `code`; 0 ends it.
void tree_recorder_fail_late(long operation, int code);

/// Right before the first exchange of two folders somebody else makes the empty file `path`, seen from the folder
/// that holds both.
void tree_recorder_disturb(const char *path);

/// The process sends itself a signal before the operation with this number, and waits until it has been taken.
void tree_recorder_signal_at(long operation, int signal);

/// fstatfs(2) says that every file system is of this kind; 0 lets it say what is true.
void tree_recorder_file_system(long kind);

/// renameat2(2) refuses to exchange names, as file systems do that cannot.
void tree_recorder_no_exchange(void);

/// Operations since the start.
long tree_recorder_count(void);

#endif
