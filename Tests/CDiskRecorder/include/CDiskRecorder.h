#ifndef CDISKRECORDER_H
#define CDISKRECORDER_H

// Stands in front of the C library's calls that change files, in the program that is linked with it: of SQLite's own
// VFS and of SystemIO alike. It records them, and can make one of them fail or be the last thing the process does.

/// Begins to record what happens to the files of `folder` into the descriptor `log`; -1 records nothing, and only counts.
/// Gives 0, or an errno.
int disk_recorder_start(int log, const char *folder);

/// Writes a mark of `count` bytes between the operations.
void disk_recorder_mark(const char *text, unsigned long count);

/// The process kills itself, as `kill -9` would, instead of the operation with this number (from 1, since the start).
void disk_recorder_die_at(long operation);

/// From the operation with this number on (from 1, since the start) every write fails with `code`; the first of them
/// writes about half of its sectors before. 0 ends it.
void disk_recorder_fail_writes_at(long operation, int code);

/// Operations since the start.
long disk_recorder_count(void);

#endif
