// The bound: nothing but reading the files, libcrypto's bare decryption in place, and a bare on-demand pass of
// libsimdjson that touches every value. It judges nothing, so no program that judges can be expected to be faster.
//
// usage: store-bound STORE KEYFILE

#include <fcntl.h>
#include <openssl/evp.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

struct Totals {
    size_t messages = 0;
    size_t attachments = 0;
    size_t touched = 0;
};

[[noreturn]] void fail(const char *what) {
    std::fprintf(stderr, "store-bound: %s\n", what);
    std::exit(1);
}

struct Buffer {
    unsigned char *bytes = nullptr;
    size_t capacity = 0;

    void reserve(size_t wanted) {
        if (wanted <= capacity) return;
        std::free(bytes);
        bytes = static_cast<unsigned char *>(std::malloc(wanted));
        if (!bytes) fail("out of memory");
        capacity = wanted;
    }
};

size_t read_file(const char *path, Buffer &buffer) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) fail(path);
    size_t size = static_cast<size_t>(status.st_size), done = 0;
    buffer.reserve(size + simdjson::SIMDJSON_PADDING);
    while (done < size) {
        ssize_t got = read(file, buffer.bytes + done, size - done);
        if (got <= 0) fail(path);
        done += static_cast<size_t>(got);
    }
    close(file);
    return size;
}

// nonce (12) ‖ ciphertext ‖ tag (16), decrypted where it lies; the key was set once.
size_t decrypt(EVP_CIPHER_CTX *context, unsigned char *bytes, size_t size) {
    if (size < 28) fail("too short");
    size_t length = size - 28;
    unsigned char *text = bytes + 12;
    int written = 0;
    if (EVP_DecryptInit_ex(context, nullptr, nullptr, nullptr, bytes) != 1
        || EVP_DecryptUpdate(context, text, &written, text, static_cast<int>(length)) != 1
        || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, text + length) != 1
        || EVP_DecryptFinal_ex(context, text + length, &written) != 1)
        fail("not authentic");
    return length;
}

void touch(simdjson::ondemand::value value, Totals &totals) {
    using simdjson::ondemand::json_type;
    switch (value.type().value_unsafe()) {
    case json_type::string: {
        std::string_view text;
        if (value.get_string().get(text)) fail("bad string");
        totals.touched += text.size();
        break;
    }
    case json_type::number: {
        double number;
        if (value.get_double().get(number)) fail("bad number");
        totals.touched += number > 0;
        break;
    }
    case json_type::boolean: {
        bool truth;
        if (value.get_bool().get(truth)) fail("bad boolean");
        totals.touched += truth;
        break;
    }
    case json_type::null:
        if (!value.is_null()) fail("bad null");
        break;
    case json_type::array:
        for (auto element : value.get_array()) {
            simdjson::ondemand::value inner;
            if (element.get(inner)) fail("bad array");
            touch(inner, totals);
        }
        break;
    case json_type::object:
        for (auto field : value.get_object()) {
            simdjson::ondemand::value inner;
            if (field.value().get(inner)) fail("bad object");
            touch(inner, totals);
        }
        break;
    }
}

void conversation(simdjson::ondemand::parser &parser, unsigned char *text, size_t length, size_t capacity, Totals &totals) {
    simdjson::ondemand::document document;
    simdjson::ondemand::array messages;
    if (parser.iterate(reinterpret_cast<const char *>(text), length, capacity).get(document)) fail("bad JSON");
    if (document.get_array().get(messages)) fail("not a list");
    for (auto element : messages) {
        simdjson::ondemand::value message;
        if (element.get(message)) fail("bad JSON");
        touch(message, totals);
        totals.messages += 1;
    }
}

std::vector<std::string> files(const std::string &folder) {
    std::vector<std::string> paths;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
    return paths;
}

}  // namespace

int main(int count, char **arguments) {
    if (count != 3) fail("usage: store-bound STORE KEYFILE");
    Buffer buffer;
    size_t size = read_file(arguments[2], buffer);
    std::vector<unsigned char> key(size + 3);
    if (size && buffer.bytes[size - 1] == '\n') size -= 1;
    if (EVP_DecodeBlock(key.data(), buffer.bytes, static_cast<int>(size)) < 32) fail("the key file is not base64");
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nullptr, key.data(), nullptr) != 1) fail("no cipher");

    Totals totals;
    simdjson::ondemand::parser parser;
    std::string store = arguments[1];
    for (const auto &path : files(store + "/sophax_messages")) {
        size_t sealed = read_file(path.c_str(), buffer);
        size_t length = decrypt(context, buffer.bytes, sealed);
        conversation(parser, buffer.bytes + 12, length, buffer.capacity - 12, totals);
    }
    for (const auto &path : files(store + "/sophax_attachments")) {
        size_t sealed = read_file(path.c_str(), buffer);
        decrypt(context, buffer.bytes, sealed);
        totals.attachments += 1;
    }
    std::printf("%zu %zu %zu\n", totals.messages, totals.attachments, totals.touched);
}
