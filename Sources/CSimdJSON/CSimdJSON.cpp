#include "CSimdJSON.h"
#include <simdjson.h>
#define SXJ_STR2(a, b, c) #a "." #b "." #c
#define SXJ_STR(a, b, c) SXJ_STR2(a, b, c)
const char *sxj_library_version(void) {
    return SXJ_STR(3, 0, 1);
}
