// A C interface over libsimdjson's on-demand parser: JSON documents as flat arrays of offsets and lengths.
//
// Nothing is copied and nothing is unescaped here: the caller reads what it needs from the document's own bytes.
// Every value is checked, also those that are not recorded: on-demand parsing alone would pass `"isEdited":fal`.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bytes that must be readable (their values do not matter) behind every document.
#define SXJ_PADDING 64

// A document is less than 4 GiB, as libsimdjson's own limit is.
typedef struct {
    uint32_t offset;
    uint32_t length;
} sxj_span;

// How a document ended.
typedef enum {
    SXJ_OK = 0,
    SXJ_STOPPED = 1,            // the callback asked to stop
    SXJ_MEMORY = 2,             // no memory for the parser
    SXJ_TOO_LARGE = 3,          // 4 GiB or more
    SXJ_UNEXPECTED_ROOT = 4,    // well formed so far, but not the array (or object) that was asked for
    SXJ_NEEDS_TOLERANCE = 5,    // not strict JSON, or JSON that on-demand parsing cannot judge: use the tolerant scanner
} sxj_status;

// The fields of a stored message, iOS and Android, in the order of the spans in `sxj_message`.
// formats: StoredMessage (iOS) and StoredMessage (Android).
typedef enum {
    SXJ_ID, SXJ_PEER_ID, SXJ_DIRECTION, SXJ_BODY, SXJ_STATUS, SXJ_REPLY_TO_ID, SXJ_ATTACHMENT_ID,
    SXJ_ATTACHMENT_MIME_TYPE, SXJ_ATTACHMENT_FILENAME, SXJ_SENDER_ID,              // strings
    SXJ_TIMESTAMP, SXJ_TIMESTAMP_MS, SXJ_EXPIRES_AT, SXJ_RECEIVED_AT, SXJ_EDITED_AT,
    SXJ_HOP_COUNT, SXJ_AUDIO_DURATION,                                             // numbers
    SXJ_IS_EDITED,                                                                 // boolean
    SXJ_REACTIONS,                                                                 // object of strings
    SXJ_DELIVERED_BY, SXJ_READ_BY,                                                 // arrays of strings
    SXJ_FIELD_COUNT
} sxj_field;

// One message. A span of a string is its content between the quotes, still escaped; of any other value the whole value.
typedef struct {
    uint32_t offset, length;    // the message's own object, from `{` to `}`
    uint32_t present;           // bit per field that is there and is not null
    uint32_t null;              // bit per field that is there as null
    uint32_t escaped;           // bit per field that is a string with a backslash in it
    uint32_t wrong;             // bit per field whose value has another type than the format says
    uint32_t repeated;          // bit per field whose key stands twice; the last one is recorded
    uint16_t unknown;           // keys that no known version has
    uint8_t edited;             // the value of isEdited
    uint8_t broken;             // bits SXJ_BROKEN_*; only the tolerant scanner sets them
    // `timestamp` also takes timestampMs, where there is no timestamp that is a number.
    double timestamp, expires_at, received_at, edited_at, hop_count, audio_duration;
    // One span a field, in the order of `sxj_field`.
    sxj_span id, peer_id, direction, body, status, reply_to_id, attachment_id;
    sxj_span attachment_mime_type, attachment_filename, sender_id;
    sxj_span timestamp_text, timestamp_ms_text, expires_at_text, received_at_text, edited_at_text;
    sxj_span hop_count_text, audio_duration_text;
    sxj_span is_edited;
    sxj_span reactions;
    sxj_span delivered_by, read_by;
} sxj_message;

#define SXJ_BROKEN_UTF8 1       // bytes that are not UTF-8
#define SXJ_BROKEN_SURROGATE 2  // an escaped surrogate without its partner
#define SXJ_BROKEN_NUMBER 4     // a number that no double holds
#define SXJ_BROKEN_ESCAPE 8     // an escape that JSON does not know, or a raw control character

static inline sxj_span sxj_message_span(const sxj_message *message, unsigned field) {
    return (&message->id)[field < SXJ_FIELD_COUNT ? field : 0];
}

static inline void sxj_message_set_span(sxj_message *message, unsigned field, sxj_span span) {
    if (field < SXJ_FIELD_COUNT) (&message->id)[field] = span;
}

// Kinds of values, as a member's first byte tells them.
typedef enum { SXJ_OBJECT, SXJ_ARRAY, SXJ_STRING, SXJ_NUMBER, SXJ_BOOL, SXJ_NULL } sxj_kind;

// A member of an object: `key` is the content between the quotes; `value` of a string likewise, else the whole value.
typedef struct {
    sxj_span key, value;
    uint32_t kind;              // sxj_kind
    uint32_t escaped;           // the value is a string with a backslash in it
    uint32_t key_escaped;       // the key has a backslash in it
} sxj_member;

typedef struct sxj_parser sxj_parser;

// NULL when there is no memory. A parser keeps its buffers between documents; one thread at a time.
sxj_parser *sxj_parser_new(void);
// Wipes what the parser may have copied from documents, then frees.
void sxj_parser_free(sxj_parser *parser);

// Takes `count` messages of a batch; a value other than 0 stops the scan.
typedef int (*sxj_take_messages)(void *context, const sxj_message *batch, size_t count);

// Walks a document that is an array of message objects. `batch` has room for `capacity` messages and is lent to `take`.
// `error_offset` is where a scan that did not end well stood, as near as libsimdjson tells.
sxj_status sxj_scan_messages(sxj_parser *parser, const char *json, size_t length, sxj_message *batch, size_t capacity,
                             sxj_take_messages take, void *context, size_t *error_offset);

typedef int (*sxj_take_member)(void *context, const sxj_member *member);

// Walks the members of a document that is an object; every value is checked through all levels.
sxj_status sxj_scan_members(sxj_parser *parser, const char *json, size_t length, sxj_take_member take, void *context,
                            size_t *error_offset);

// Walks the elements of a document that is an array; members have an empty key.
sxj_status sxj_scan_elements(sxj_parser *parser, const char *json, size_t length, sxj_take_member take, void *context,
                             size_t *error_offset);

// Which field a key names, or SXJ_FIELD_COUNT. `key` is the content between the quotes, without escapes.
unsigned sxj_field_named(const char *key, size_t length);

// The version that this program was compiled against, such as "3.0.1", and the code path in use, such as "haswell".
const char *sxj_library_version(void);
const char *sxj_implementation_name(void);

#ifdef __cplusplus
}
#endif
