#include <stdint.h>

#include <openssl/bn.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/sha.h>

/// The same number, of which the optimiser knows nothing any more: it cannot see that it is only ever one of two and make a
/// branch of a mask. The empty instruction claims to change it, on every processor.
static inline uint64_t sx_opaque(uint64_t number) {
    __asm__("" : "+r"(number));
    return number;
}
