/* The parts of the interface that allow memory of one's own: contexts hold what they compress, and keys are among it. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>
