// See include/CSimdJSON.h. One file on purpose: the walk is inlined into libsimdjson's templates.
#include "CSimdJSON.h"

#include <cstddef>
#include <cstring>
#include <new>
#include <simdjson.h>

using namespace simdjson;

static_assert(SXJ_PADDING >= SIMDJSON_PADDING, "callers leave SXJ_PADDING readable bytes behind a document");

static_assert(offsetof(sxj_message, read_by) - offsetof(sxj_message, id) == SXJ_READ_BY * sizeof(sxj_span),
              "one span a field, in the order of sxj_field");

struct sxj_parser {
    ondemand::parser parser;
};

namespace {

// Nesting of values inside one message; the format needs 2. Beyond it the tolerant scanner reports the message.
constexpr int max_nesting = 64;

struct key_name {
    const char *text;
    uint8_t length;
};

#define SXJ_KEY(text) {text, sizeof(text) - 1}
constexpr key_name field_names[SXJ_FIELD_COUNT] = {
    SXJ_KEY("id"), SXJ_KEY("peerID"), SXJ_KEY("direction"), SXJ_KEY("body"), SXJ_KEY("status"), SXJ_KEY("replyToID"),
    SXJ_KEY("attachmentID"), SXJ_KEY("attachmentMimeType"), SXJ_KEY("attachmentFilename"), SXJ_KEY("senderID"),
    SXJ_KEY("timestamp"), SXJ_KEY("timestampMs"), SXJ_KEY("expiresAt"), SXJ_KEY("receivedAt"), SXJ_KEY("editedAt"),
    SXJ_KEY("hopCount"), SXJ_KEY("audioDuration"), SXJ_KEY("isEdited"), SXJ_KEY("reactions"), SXJ_KEY("deliveredBy"),
    SXJ_KEY("readBy"),
};
#undef SXJ_KEY

inline bool is_field(unsigned field, const char *key) {
    return std::memcmp(field_names[field].text, key, field_names[field].length) == 0;
}

// By length first: at most three comparisons a key.
inline unsigned field_named(const char *key, size_t length) {
    switch (length) {
    case 2: return is_field(SXJ_ID, key) ? SXJ_ID : SXJ_FIELD_COUNT;
    case 4: return is_field(SXJ_BODY, key) ? SXJ_BODY : SXJ_FIELD_COUNT;
    case 6:
        if (is_field(SXJ_PEER_ID, key)) return SXJ_PEER_ID;
        if (is_field(SXJ_STATUS, key)) return SXJ_STATUS;
        return is_field(SXJ_READ_BY, key) ? SXJ_READ_BY : SXJ_FIELD_COUNT;
    case 8:
        if (is_field(SXJ_IS_EDITED, key)) return SXJ_IS_EDITED;
        if (is_field(SXJ_SENDER_ID, key)) return SXJ_SENDER_ID;
        if (is_field(SXJ_EDITED_AT, key)) return SXJ_EDITED_AT;
        return is_field(SXJ_HOP_COUNT, key) ? SXJ_HOP_COUNT : SXJ_FIELD_COUNT;
    case 9:
        if (is_field(SXJ_TIMESTAMP, key)) return SXJ_TIMESTAMP;
        if (is_field(SXJ_DIRECTION, key)) return SXJ_DIRECTION;
        if (is_field(SXJ_REPLY_TO_ID, key)) return SXJ_REPLY_TO_ID;
        if (is_field(SXJ_REACTIONS, key)) return SXJ_REACTIONS;
        return is_field(SXJ_EXPIRES_AT, key) ? SXJ_EXPIRES_AT : SXJ_FIELD_COUNT;
    case 10: return is_field(SXJ_RECEIVED_AT, key) ? SXJ_RECEIVED_AT : SXJ_FIELD_COUNT;
    case 11:
        if (is_field(SXJ_TIMESTAMP_MS, key)) return SXJ_TIMESTAMP_MS;
        return is_field(SXJ_DELIVERED_BY, key) ? SXJ_DELIVERED_BY : SXJ_FIELD_COUNT;
    case 12: return is_field(SXJ_ATTACHMENT_ID, key) ? SXJ_ATTACHMENT_ID : SXJ_FIELD_COUNT;
    case 13: return is_field(SXJ_AUDIO_DURATION, key) ? SXJ_AUDIO_DURATION : SXJ_FIELD_COUNT;
    case 18:
        if (is_field(SXJ_ATTACHMENT_MIME_TYPE, key)) return SXJ_ATTACHMENT_MIME_TYPE;
        return is_field(SXJ_ATTACHMENT_FILENAME, key) ? SXJ_ATTACHMENT_FILENAME : SXJ_FIELD_COUNT;
    default: return SXJ_FIELD_COUNT;
    }
}

// Bytes before the first quote or backslash. Eight at a time: keys are a fifth of a message, and the document's padding
// is behind the last of them. A byte of `word` that equals the wanted one becomes 0 by XOR; the classic test for a zero
// byte has no false answer below the first true one.
inline size_t key_length(const char *key) {
    size_t length = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    constexpr uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    for (;; length += 8) {
        uint64_t word;
        std::memcpy(&word, key + length, sizeof word);
        const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
        const uint64_t found = (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & highs;
        if (found) return length + size_t(__builtin_ctzll(found) / 8);
    }
#else
    while (key[length] != '"' && key[length] != '\\') length++;
    return length;
#endif
}

inline int hex_digits(const char *text) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = text[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

// RFC 8259 section 7. libsimdjson has already refused raw control characters and bytes that are not UTF-8.
bool escapes_are_good(const char *text, size_t length) {
    size_t i = 0;
    while (i < length) {
        const void *slash = std::memchr(text + i, '\\', length - i);
        if (slash == nullptr) return true;
        i = size_t(static_cast<const char *>(slash) - text) + 1;
        if (i >= length) return false;
        char c = text[i++];
        if (c != 'u') {
            if (std::memchr("\"\\/bfnrt", c, 8) == nullptr) return false;
            continue;
        }
        if (length - i < 4) return false;
        int unit = hex_digits(text + i);
        i += 4;
        if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF)) return false;
        if (unit >= 0xD800 && unit <= 0xDBFF) {
            if (length - i < 6 || text[i] != '\\' || text[i + 1] != 'u') return false;
            int low = hex_digits(text + i + 2);
            if (low < 0xDC00 || low > 0xDFFF) return false;
            i += 6;
        }
    }
    return true;
}

class walk {
public:
    const char *base;
    // `escaped_keys`: keys with escapes are read as well (messages with such keys are left to the tolerant reader).
    walk(const char *json, size_t length, bool escaped_keys = false)
        : base(json), end(json + length), takes_escaped_keys(escaped_keys) { find_backslash(json); }

    // A value's own bytes up to the next structural character, without the white space before that.
    static std::string_view token(ondemand::value &value) {
        std::string_view text = value.raw_json_token();
        size_t length = text.size();
        while (length > 0) {
            char c = text[length - 1];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') break;
            length--;
        }
        return text.substr(0, length);
    }

    sxj_span span(std::string_view text) const {
        return {uint32_t(text.data() - base), uint32_t(text.size())};
    }

    // From `start` to the closing bracket before where the parser stands now.
    bool span_to_here(const char *start, ondemand::document &document, sxj_span &out) const {
        const char *here;
        if (document.current_location().get(here)) return false;
        while (here > start && here[-1] != '}' && here[-1] != ']') here--;
        if (here == start) return false;
        out = {uint32_t(start - base), uint32_t(here - start)};
        return true;
    }

    // A key's content; false where it has an escape.
    static bool key(ondemand::field &field, std::string_view &out) {
        const char *start = field.key().raw();
        const char *end = start + key_length(start);
        if (*end == '\\') return false;
        out = {start, size_t(end - start)};
        return true;
    }

    // A key's content, with escapes perhaps; false where one of them is wrong.
    static bool any_key(ondemand::field &field, std::string_view &out, bool &escaped) {
        const char *start = field.key().raw();
        const char *end = start + key_length(start);
        escaped = *end == '\\';
        // The closing quote is there: libsimdjson found it.
        while (*end == '\\') {
            end += 2;
            end += key_length(end);
        }
        out = {start, size_t(end - start)};
        return !escaped || escapes_are_good(out.data(), out.size());
    }

    bool key_is_good(ondemand::field &field) const {
        std::string_view name;
        bool escaped;
        return takes_escaped_keys ? any_key(field, name, escaped) : key(field, name);
    }

    // `text` is the value's token.
    bool string(ondemand::value &value, std::string_view text, sxj_span &out, bool &escaped) const {
        if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
        ondemand::raw_json_string raw;
        if (value.get_raw_json_string().get(raw)) return false;
        text = text.substr(1, text.size() - 2);
        if (backslash < text.data()) find_backslash(text.data());
        escaped = backslash < text.data() + text.size();
        out = span(text);
        return !escaped || escapes_are_good(text.data(), text.size());
    }

    // Checks a value through all its levels.
    bool check(ondemand::value value, int depth) const {
        ondemand::json_type type;
        if (value.type().get(type)) return false;
        switch (type) {
        case ondemand::json_type::string: {
            sxj_span ignored;
            bool escaped;
            return string(value, token(value), ignored, escaped);
        }
        case ondemand::json_type::number: {
            double ignored;
            return !value.get_double().get(ignored);
        }
        case ondemand::json_type::boolean: {
            bool ignored;
            return !value.get_bool().get(ignored);
        }
        case ondemand::json_type::null: {
            bool is_null;
            return !value.is_null().get(is_null) && is_null;
        }
        case ondemand::json_type::array: {
            if (depth >= max_nesting) return false;
            ondemand::array array;
            if (value.get_array().get(array)) return false;
            for (auto element : array) {
                ondemand::value inner;
                if (std::move(element).get(inner) || !check(inner, depth + 1)) return false;
            }
            return true;
        }
        case ondemand::json_type::object: {
            if (depth >= max_nesting) return false;
            ondemand::object object;
            if (value.get_object().get(object)) return false;
            for (auto member : object) {
                ondemand::field field;
                if (std::move(member).get(field) || !key_is_good(field) || !check(field.value(), depth + 1)) return false;
            }
            return true;
        }
        }
        return false;
    }

    // Checks a container whose values should all be strings, and tells whether they are.
    bool strings(ondemand::value value, ondemand::json_type type, bool &all_strings) const {
        all_strings = true;
        auto one = [&](ondemand::value inner) {
            ondemand::json_type kind;
            if (inner.type().get(kind)) return false;
            if (kind != ondemand::json_type::string) all_strings = false;
            return check(inner, 2);
        };
        if (type == ondemand::json_type::array) {
            ondemand::array array;
            if (value.get_array().get(array)) return false;
            for (auto element : array) {
                ondemand::value inner;
                if (std::move(element).get(inner) || !one(inner)) return false;
            }
            return true;
        }
        ondemand::object object;
        if (value.get_object().get(object)) return false;
        for (auto member : object) {
            ondemand::field field;
            std::string_view name;
            if (std::move(member).get(field) || !key(field, name) || !one(field.value())) return false;
        }
        return true;
    }

    bool message(ondemand::value &value, ondemand::document &document, sxj_message &out) const {
        const char *start = value.raw_json_token().data();
        ondemand::object object;
        if (value.get_object().get(object)) return false;
        out.present = out.null = out.escaped = out.wrong = out.repeated = 0;
        out.unknown = 0;
        out.edited = out.broken = 0;
        for (auto member : object) {
            ondemand::field field;
            std::string_view name;
            if (std::move(member).get(field) || !key(field, name)) return false;
            ondemand::value inner = field.value();
            unsigned which = field_named(name.data(), name.size());
            if (which == SXJ_FIELD_COUNT) {
                if (out.unknown < UINT16_MAX) out.unknown++;
                if (!check(inner, 1)) return false;
            } else if (!known(which, inner, document, out)) {
                return false;
            }
        }
        sxj_span whole;
        if (!span_to_here(start, document, whole)) return false;
        out.offset = whole.offset;
        out.length = whole.length;
        return true;
    }

private:
    const char *end;
    const bool takes_escaped_keys;
    // The first backslash at or behind the last string looked at; `end` for none. Backslashes are rare: one search over the
    // document does for all strings.
    mutable const char *backslash;

    void find_backslash(const char *from) const {
        const void *found = std::memchr(from, '\\', size_t(end - from));
        backslash = found ? static_cast<const char *>(found) : end;
    }

    static double *number_slot(unsigned field, sxj_message &out) {
        switch (field) {
        case SXJ_TIMESTAMP: case SXJ_TIMESTAMP_MS: return &out.timestamp;
        case SXJ_EXPIRES_AT: return &out.expires_at;
        case SXJ_RECEIVED_AT: return &out.received_at;
        case SXJ_EDITED_AT: return &out.edited_at;
        case SXJ_HOP_COUNT: return &out.hop_count;
        case SXJ_AUDIO_DURATION: return &out.audio_duration;
        default: return nullptr;
        }
    }

    // Both timestamps have one slot; in a message with both it is the iOS one's, whatever their order.
    static bool owns_slot(unsigned field, const sxj_message &out) {
        const uint32_t ios = uint32_t(1) << SXJ_TIMESTAMP;
        return field != SXJ_TIMESTAMP_MS || !(out.present & ios) || (out.wrong & ios);
    }

    static ondemand::json_type expected_type(unsigned field) {
        if (field <= SXJ_SENDER_ID) return ondemand::json_type::string;
        if (field <= SXJ_AUDIO_DURATION) return ondemand::json_type::number;
        if (field == SXJ_IS_EDITED) return ondemand::json_type::boolean;
        return field == SXJ_REACTIONS ? ondemand::json_type::object : ondemand::json_type::array;
    }

    bool known(unsigned field, ondemand::value inner, ondemand::document &document, sxj_message &out) const {
        const uint32_t bit = uint32_t(1) << field;
        if ((out.present | out.null) & bit) out.repeated |= bit;
        out.present &= ~bit, out.null &= ~bit, out.escaped &= ~bit, out.wrong &= ~bit;
        ondemand::json_type type;
        if (inner.type().get(type)) return false;
        std::string_view text = token(inner);
        if (type == ondemand::json_type::null) {
            bool is_null;
            if (inner.is_null().get(is_null) || !is_null) return false;
            out.null |= bit;
            (&out.id)[field] = span(text);
            return true;
        }
        out.present |= bit;
        bool container = type == ondemand::json_type::array || type == ondemand::json_type::object;
        if (type == expected_type(field)) {
            if (type == ondemand::json_type::string) {
                bool escaped;
                if (!string(inner, text, (&out.id)[field], escaped)) return false;
                if (escaped) out.escaped |= bit;
                return true;
            }
            (&out.id)[field] = span(text);
            if (type == ondemand::json_type::number) {
                double number;
                if (inner.get_double().get(number)) return false;
                if (owns_slot(field, out)) *number_slot(field, out) = number;
                return true;
            }
            if (type == ondemand::json_type::boolean) {
                bool edited;
                if (inner.get_bool().get(edited)) return false;
                out.edited = edited;
                return true;
            }
            bool all_strings;
            if (!strings(inner, type, all_strings)) return false;
            if (!all_strings) out.wrong |= bit;
        } else {
            out.wrong |= bit;
            (&out.id)[field] = span(text);
            if (type == ondemand::json_type::string) {
                bool escaped;
                if (!string(inner, text, (&out.id)[field], escaped)) return false;
                if (escaped) out.escaped |= bit;
                return true;
            }
            if (!check(inner, 1)) return false;
        }
        return !container || span_to_here(text.data(), document, (&out.id)[field]);
    }
};

sxj_status not_strict(ondemand::document &document, const char *json, size_t length, size_t *error_offset) {
    const char *here;
    *error_offset = 0;
    if (!document.current_location().get(here) && here >= json && here <= json + length) *error_offset = here - json;
    return SXJ_NEEDS_TOLERANCE;
}

// After the root value has been walked.
bool nothing_follows(ondemand::document &document) {
    return document.current_location().error() == OUT_OF_BOUNDS;
}

// Stage 1 over the whole document: finds every structural character, checks UTF-8 and raw control characters. Then the
// root is what is wanted.
sxj_status begin(sxj_parser *parser, const char *json, size_t length, ondemand::json_type wanted,
                 ondemand::document &document, size_t *error_offset) {
    *error_offset = 0;
    if (length > SIMDJSON_MAXSIZE_BYTES) return SXJ_TOO_LARGE;
    error_code error = parser->parser.iterate(json, length, length + SXJ_PADDING).get(document);
    if (error == MEMALLOC) return SXJ_MEMORY;
    if (error == CAPACITY) return SXJ_TOO_LARGE;
    if (error) return SXJ_NEEDS_TOLERANCE;
    ondemand::json_type type;
    if (document.type().get(type)) return not_strict(document, json, length, error_offset);
    return type == wanted ? SXJ_OK : SXJ_UNEXPECTED_ROOT;
}

bool member_of(const walk &walker, ondemand::value value, ondemand::document &document, sxj_member &out) {
    ondemand::json_type type;
    if (value.type().get(type)) return false;
    std::string_view text = walk::token(value);
    out.escaped = 0;
    out.value = walker.span(text);
    bool escaped = false, container = false;
    switch (type) {
    case ondemand::json_type::string:
        out.kind = SXJ_STRING;
        if (!walker.string(value, text, out.value, escaped)) return false;
        out.escaped = escaped;
        return true;
    case ondemand::json_type::object: out.kind = SXJ_OBJECT, container = true; break;
    case ondemand::json_type::array: out.kind = SXJ_ARRAY, container = true; break;
    case ondemand::json_type::number: out.kind = SXJ_NUMBER; break;
    case ondemand::json_type::boolean: out.kind = SXJ_BOOL; break;
    case ondemand::json_type::null: out.kind = SXJ_NULL; break;
    }
    if (!walker.check(value, 0)) return false;
    return !container || walker.span_to_here(text.data(), document, out.value);
}

}  // namespace

extern "C" {

sxj_parser *sxj_parser_new(void) {
    return new (std::nothrow) sxj_parser;
}

void sxj_parser_free(sxj_parser *parser) {
    // Nothing to wipe: no function here unescapes, so libsimdjson's string buffer is never written.
    delete parser;
}

sxj_status sxj_scan_messages(sxj_parser *parser, const char *json, size_t length, sxj_message *batch, size_t capacity,
                             sxj_take_messages take, void *context, size_t *error_offset) {
    ondemand::document document;
    sxj_status status = begin(parser, json, length, ondemand::json_type::array, document, error_offset);
    if (status != SXJ_OK) return status;
    ondemand::array array;
    if (document.get_array().get(array)) return not_strict(document, json, length, error_offset);
    walk walker(json, length);
    size_t filled = 0;
    for (auto element : array) {
        ondemand::value value;
        if (std::move(element).get(value)) return not_strict(document, json, length, error_offset);
        if (!walker.message(value, document, batch[filled])) return not_strict(document, json, length, error_offset);
        if (++filled == capacity) {
            if (take(context, batch, filled) != 0) return SXJ_STOPPED;
            filled = 0;
        }
    }
    if (!nothing_follows(document)) return not_strict(document, json, length, error_offset);
    if (filled > 0 && take(context, batch, filled) != 0) return SXJ_STOPPED;
    return SXJ_OK;
}

sxj_status sxj_scan_members(sxj_parser *parser, const char *json, size_t length, sxj_take_member take, void *context,
                            size_t *error_offset) {
    ondemand::document document;
    sxj_status status = begin(parser, json, length, ondemand::json_type::object, document, error_offset);
    if (status != SXJ_OK) return status;
    ondemand::object object;
    if (document.get_object().get(object)) return not_strict(document, json, length, error_offset);
    walk walker(json, length, true);
    for (auto element : object) {
        ondemand::field field;
        std::string_view name;
        bool escaped;
        sxj_member member;
        if (std::move(element).get(field) || !walk::any_key(field, name, escaped) ||
            !member_of(walker, field.value(), document, member)) {
            return not_strict(document, json, length, error_offset);
        }
        member.key = walker.span(name);
        member.key_escaped = escaped;
        if (take(context, &member) != 0) return SXJ_STOPPED;
    }
    return nothing_follows(document) ? SXJ_OK : not_strict(document, json, length, error_offset);
}

sxj_status sxj_scan_elements(sxj_parser *parser, const char *json, size_t length, sxj_take_member take, void *context,
                             size_t *error_offset) {
    ondemand::document document;
    sxj_status status = begin(parser, json, length, ondemand::json_type::array, document, error_offset);
    if (status != SXJ_OK) return status;
    ondemand::array array;
    if (document.get_array().get(array)) return not_strict(document, json, length, error_offset);
    walk walker(json, length, true);
    for (auto element : array) {
        ondemand::value value;
        sxj_member member;
        if (std::move(element).get(value) || !member_of(walker, value, document, member)) {
            return not_strict(document, json, length, error_offset);
        }
        member.key = {0, 0};
        member.key_escaped = 0;
        if (take(context, &member) != 0) return SXJ_STOPPED;
    }
    return nothing_follows(document) ? SXJ_OK : not_strict(document, json, length, error_offset);
}

unsigned sxj_field_named(const char *key, size_t length) {
    return field_named(key, length);
}

#define SXJ_TEXT(text) #text
#define SXJ_VERSION_TEXT(text) SXJ_TEXT(text)
const char *sxj_library_version(void) {
    return SXJ_VERSION_TEXT(SIMDJSON_VERSION);
}

const char *sxj_implementation_name(void) {
    static const std::string name = get_active_implementation()->name();
    return name.c_str();
}

}  // extern "C"
