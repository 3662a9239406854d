#pragma once
#ifdef __cplusplus
extern "C" {
#endif
const char *sxj_library_version(void);
#ifdef __cplusplus
}
#endif
