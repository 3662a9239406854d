/* What valgrind's memcheck is asked for, as functions that Swift can call. */
#ifndef CMEMCHECK_H
#define CMEMCHECK_H

#include <stddef.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

/* 1 inside valgrind. */
static inline int memcheck_is_running(void) { return RUNNING_ON_VALGRIND > 0; }
/* From here on a branch on these bytes, or an address made of them, is an error. */
static inline void memcheck_make_undefined(void *start, size_t count) { VALGRIND_MAKE_MEM_UNDEFINED(start, count); }
/* These bytes are no secret any more. */
static inline void memcheck_make_defined(void *start, size_t count) { VALGRIND_MAKE_MEM_DEFINED(start, count); }
/* How many errors there were so far. */
static inline unsigned memcheck_error_count(void) { return (unsigned)VALGRIND_COUNT_ERRORS; }

#else

static inline int memcheck_is_running(void) { return 0; }
static inline void memcheck_make_undefined(void *start, size_t count) { (void)start; (void)count; }
static inline void memcheck_make_defined(void *start, size_t count) { (void)start; (void)count; }
static inline unsigned memcheck_error_count(void) { return 0; }

#endif
#endif
