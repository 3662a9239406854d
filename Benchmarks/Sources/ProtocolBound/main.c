// The bound for agreements and messages: the calls of libsodium and libcrypto that the protocol needs, one after the other,
// with keys and buffers in plain memory, no JSON, no checks, and nothing that could be refused.
//
// usage: protocol-bound ROUNDS; prints a line for each kind of work: its name, seconds, processor seconds, how many

#include <openssl/evp.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEY = 32, NONCE = 12, TAG = 16, HEADER = 130, TEXT = 200, AD = 77 };

static EVP_MD *sha256;
static unsigned char ad[AD], header[HEADER], text[TEXT], plain[TEXT];
static unsigned char form[] = "SophaxChat_DR_Header_v2";

typedef struct {
    unsigned char header[NONCE + HEADER + TAG];
    unsigned char body[NONCE + TEXT + TAG];
} message;

typedef struct {
    unsigned char root[KEY], private_key[KEY], public_key[KEY], send[KEY], receive[KEY];
    unsigned char send_header[KEY], receive_header[KEY], next_send_header[KEY], next_receive_header[KEY];
} session;

static void must(int status) {
    if (status != 0) {
        fprintf(stderr, "protocol-bound: a call failed\n");
        exit(1);
    }
}

static void hmac(unsigned char *out, const unsigned char *key, const unsigned char *text, size_t length) {
    unsigned char inner[64 + 256], outer[64 + KEY];
    for (int index = 0; index < 64; index++) {
        unsigned char byte = index < KEY ? key[index] : 0;
        inner[index] = byte ^ 0x36;
        outer[index] = byte ^ 0x5C;
    }
    memcpy(inner + 64, text, length);
    EVP_Digest(inner, 64 + length, outer + 64, NULL, sha256, NULL);
    EVP_Digest(outer, sizeof outer, out, NULL, sha256, NULL);
}

static void hkdf(unsigned char *out, size_t blocks, const unsigned char *salt, const unsigned char *input, size_t length,
                 const char *info) {
    unsigned char key[KEY], text[KEY + 64];
    size_t size = strlen(info), before = 0;
    hmac(key, salt, input, length);
    for (size_t block = 0; block < blocks; block++) {
        memcpy(text + before, info, size);
        text[before + size] = (unsigned char)(block + 1);
        hmac(out + KEY * block, key, text, before + size + 1);
        memcpy(text, out + KEY * block, KEY);
        before = KEY;
    }
}

static void step(session *own, const unsigned char *remote, unsigned char *chain, unsigned char *next_header) {
    unsigned char agreed[KEY], derived[3 * KEY];
    must(crypto_scalarmult(agreed, own->private_key, remote));
    hkdf(derived, 3, own->root, agreed, KEY, "SophaxChat_RootKey_v1");
    memcpy(own->root, derived, KEY);
    memcpy(chain, derived + KEY, KEY);
    memcpy(next_header, derived + 2 * KEY, KEY);
}

static void new_pair(session *own) {
    randombytes_buf(own->private_key, KEY);
    must(crypto_scalarmult_base(own->public_key, own->private_key));
}

static void advance(unsigned char *chain, unsigned char *key) {
    hmac(key, chain, (const unsigned char *)"\1", 1);
    hmac(chain, chain, (const unsigned char *)"\2", 1);
}

static void seal_message(session *own, message *out) {
    unsigned char key[KEY], data[AD + sizeof out->header], nonces[2 * NONCE];
    advance(own->send, key);
    randombytes_buf(nonces, sizeof nonces);
    memcpy(out->header, nonces, NONCE);
    memcpy(out->body, nonces + NONCE, NONCE);
    crypto_aead_chacha20poly1305_ietf_encrypt(out->header + NONCE, NULL, header, HEADER, form, sizeof form - 1, NULL,
                                              out->header, own->send_header);
    memcpy(data, ad, AD);
    memcpy(data + AD, out->header, sizeof out->header);
    crypto_aead_chacha20poly1305_ietf_encrypt(out->body + NONCE, NULL, text, TEXT, data, sizeof data, NULL, out->body, key);
}

static int open_header(const message *in, const unsigned char *key) {
    unsigned char opened[HEADER];
    return crypto_aead_chacha20poly1305_ietf_decrypt(opened, NULL, NULL, in->header + NONCE, HEADER + TAG, form,
                                                     sizeof form - 1, in->header, key);
}

static void open_body(session *own, const message *in) {
    unsigned char key[KEY], data[AD + sizeof in->header];
    advance(own->receive, key);
    memcpy(data, ad, AD);
    memcpy(data + AD, in->header, sizeof in->header);
    must(crypto_aead_chacha20poly1305_ietf_decrypt(plain, NULL, NULL, in->body + NONCE, TEXT + TAG, data, sizeof data,
                                                   in->body, key));
}

// The first message of a chain: the header key in use does not open it, the next one does.
static void open_turn(session *own, const message *in, const unsigned char *remote) {
    if (open_header(in, own->receive_header) == 0) must(1);
    must(open_header(in, own->next_receive_header));
    memcpy(own->send_header, own->next_send_header, KEY);
    memcpy(own->receive_header, own->next_receive_header, KEY);
    step(own, remote, own->receive, own->next_receive_header);
    new_pair(own);
    step(own, remote, own->send, own->next_send_header);
    open_body(own, in);
}

static void first_keys(session *own, const unsigned char *secret, unsigned char *alice, unsigned char *bob) {
    static const unsigned char no_salt[KEY];
    memcpy(own->root, secret, KEY);
    hkdf(alice, 1, no_salt, secret, KEY, "SophaxChat_HKAlice_v1");
    hkdf(bob, 1, no_salt, secret, KEY, "SophaxChat_NHKBob_v1");
}

static unsigned char identity[KEY], prekey[KEY], one_time[KEY], ephemeral[KEY], identity_public[KEY], prekey_public[KEY],
    one_time_public[KEY], ephemeral_public[KEY], signing_public[KEY], signing[64], signature[64], signed_bytes[72];

static void agreed_secret(unsigned char *secret, const unsigned char *first, const unsigned char *second,
                          const unsigned char *third, const unsigned char *fourth, const unsigned char *point_first,
                          const unsigned char *point_second, const unsigned char *point_third,
                          const unsigned char *point_fourth) {
    unsigned char input[5 * KEY];
    static const unsigned char no_salt[KEY];
    memset(input, 0xFF, KEY);
    must(crypto_scalarmult(input + KEY, first, point_first));
    must(crypto_scalarmult(input + 2 * KEY, second, point_second));
    must(crypto_scalarmult(input + 3 * KEY, third, point_third));
    must(crypto_scalarmult(input + 4 * KEY, fourth, point_fourth));
    hkdf(secret, 1, no_salt, input, sizeof input, "SophaxChat_X3DH_v1");
}

static void initiate(session *own) {
    unsigned char secret[KEY];
    must(crypto_sign_verify_detached(signature, signed_bytes, sizeof signed_bytes, signing_public));
    randombytes_buf(ephemeral, KEY);
    must(crypto_scalarmult_base(ephemeral_public, ephemeral));
    agreed_secret(secret, identity, ephemeral, ephemeral, ephemeral, prekey_public, identity_public, prekey_public,
                  one_time_public);
    first_keys(own, secret, own->send_header, own->next_receive_header);
    new_pair(own);
    step(own, prekey_public, own->send, own->next_send_header);
}

static void respond(session *own) {
    unsigned char secret[KEY];
    must(crypto_sign_verify_detached(signature, signed_bytes, sizeof signed_bytes, signing_public));
    // What is kept of a pair is its private key.
    must(crypto_scalarmult_base(prekey_public, prekey));
    must(crypto_scalarmult_base(one_time_public, one_time));
    agreed_secret(secret, prekey, identity, prekey, one_time, identity_public, ephemeral_public, ephemeral_public,
                  ephemeral_public);
    first_keys(own, secret, own->next_receive_header, own->next_send_header);
    memcpy(own->private_key, prekey, KEY);
    memcpy(own->public_key, prekey_public, KEY);
}

static double clock_now(clockid_t id) {
    struct timespec time;
    clock_gettime(id, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double start_wall, start_processor;

static void begin(void) {
    start_wall = clock_now(CLOCK_MONOTONIC);
    start_processor = clock_now(CLOCK_PROCESS_CPUTIME_ID);
}

static void end(const char *name, long count) {
    double wall = clock_now(CLOCK_MONOTONIC) - start_wall;
    printf("%s\t%.9f\t%.9f\t%ld\n", name, wall, clock_now(CLOCK_PROCESS_CPUTIME_ID) - start_processor, count);
}

int main(int argc, char **argv) {
    long rounds = argc == 2 ? atol(argv[1]) : 0;
    if (rounds <= 0 || sodium_init() < 0 || !(sha256 = EVP_MD_fetch(NULL, "SHA2-256", NULL))) {
        fprintf(stderr, "usage: protocol-bound ROUNDS\n");
        return 2;
    }
    unsigned char *keys[][2] = {{identity, identity_public}, {prekey, prekey_public}, {one_time, one_time_public}};
    for (int index = 0; index < 3; index++) {
        randombytes_buf(keys[index][0], KEY);
        must(crypto_scalarmult_base(keys[index][1], keys[index][0]));
    }
    crypto_sign_keypair(signing_public, signing);
    crypto_sign_detached(signature, NULL, signed_bytes, sizeof signed_bytes, signing);

    long agreements = rounds / 20;
    static session alice, bob;
    begin();
    for (long round = 0; round < agreements; round++) initiate(&alice);
    end("initiate", agreements);
    begin();
    for (long round = 0; round < agreements; round++) respond(&bob);
    end("respond", agreements);

    message *messages = malloc((size_t)rounds * sizeof *messages);
    if (!messages) return 1;
    seal_message(&alice, messages);
    open_turn(&bob, messages, alice.public_key);
    begin();
    for (long round = 0; round < rounds; round++) seal_message(&alice, messages + round);
    end("encrypt", rounds);
    begin();
    for (long round = 0; round < rounds; round++) {
        must(open_header(messages + round, bob.receive_header));
        open_body(&bob, messages + round);
    }
    end("decrypt", rounds);
    begin();
    for (long round = 0; round < agreements / 2; round++) {
        seal_message(&bob, messages);
        open_turn(&alice, messages, bob.public_key);
        seal_message(&alice, messages);
        open_turn(&bob, messages, alice.public_key);
    }
    end("turn", agreements);
    return 0;
}
