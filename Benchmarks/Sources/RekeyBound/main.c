// The bound of `sxkey store rekey`: libcrypto and system calls alone. Each file of a store is read whole, decrypted,
// encrypted under another key, and written into a new folder; then one sync of the file system; then each new file is read
// and decrypted once more. It compares nothing with what it came from, keeps no journal, and knows no damage.
//
// usage: rekey-bound STORE OLD-KEY NEW-KEY TARGET THREADS
// Keys are files of 32 bytes. TARGET must not exist. Prints the number of files and of bytes.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NONCE = 12, TAG = 16, KEY = 32 };

struct file {
    char *from, *to;
    size_t size;
};

static struct file *files;
static size_t count, room, largest;
static unsigned char old_key[KEY], new_key[KEY];
static atomic_size_t next_file;
static int is_reading_back;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static char *joined(const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) fail("memory");
    return path;
}

static void read_key(const char *path, unsigned char *key) {
    int file = open(path, O_RDONLY);
    if (file < 0 || read(file, key, KEY) != KEY) fail(path);
    close(file);
}

static void list(const char *from, const char *to) {
    DIR *folder = opendir(from);
    if (!folder || mkdir(to, 0700) != 0) fail(from);
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat status;
        char *path = joined(from, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        if (count == room) files = realloc(files, (room = room ? 2 * room : 1024) * sizeof *files);
        if (!files) fail("memory");
        files[count++] = (struct file){path, joined(to, entry->d_name), (size_t)status.st_size};
        if ((size_t)status.st_size > largest) largest = (size_t)status.st_size;
    }
    closedir(folder);
}

static int by_size(const void *left, const void *right) {
    size_t one = ((const struct file *)left)->size, other = ((const struct file *)right)->size;
    return one < other ? 1 : one > other ? -1 : 0;
}

static EVP_CIPHER_CTX *cipher(const unsigned char *key, int encrypts) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (!context || EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, key, NULL, encrypts) != 1) exit(1);
    return context;
}

static void read_whole(const char *path, unsigned char *buffer, size_t size) {
    int file = open(path, O_RDONLY);
    if (file < 0) fail(path);
    for (size_t done = 0; done < size;) {
        ssize_t got = read(file, buffer + done, size - done);
        if (got <= 0) fail(path);
        done += (size_t)got;
    }
    close(file);
}

static void write_whole(const char *path, const unsigned char *buffer, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0) fail(path);
    for (size_t done = 0; done < size;) {
        ssize_t put = write(file, buffer + done, size - done);
        if (put <= 0) fail(path);
        done += (size_t)put;
    }
    if (close(file) != 0) fail(path);
}

static void decrypt(EVP_CIPHER_CTX *context, unsigned char *box, size_t size) {
    int n;
    if (EVP_CipherInit_ex(context, NULL, NULL, NULL, box, -1) != 1 ||
        EVP_CipherUpdate(context, box + NONCE, &n, box + NONCE, (int)(size - NONCE - TAG)) != 1 ||
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, TAG, box + size - TAG) != 1 ||
        EVP_CipherFinal_ex(context, box + size - TAG, &n) != 1) {
        fprintf(stderr, "not authentic\n");
        exit(1);
    }
}

static void encrypt(EVP_CIPHER_CTX *context, unsigned char *box, size_t size) {
    int n;
    if (RAND_bytes(box, NONCE) != 1 || EVP_CipherInit_ex(context, NULL, NULL, NULL, box, -1) != 1 ||
        EVP_CipherUpdate(context, box + NONCE, &n, box + NONCE, (int)(size - NONCE - TAG)) != 1 ||
        EVP_CipherFinal_ex(context, box + size - TAG, &n) != 1 ||
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG, box + size - TAG) != 1)
        exit(1);
}

static void *work(void *unused) {
    (void)unused;
    EVP_CIPHER_CTX *opening = cipher(is_reading_back ? new_key : old_key, 0), *sealing = cipher(new_key, 1);
    unsigned char *buffer = malloc(largest + 1);
    if (!buffer) fail("memory");
    for (size_t index; (index = atomic_fetch_add(&next_file, 1)) < count;) {
        struct file *file = &files[index];
        read_whole(is_reading_back ? file->to : file->from, buffer, file->size);
        decrypt(opening, buffer, file->size);
        if (is_reading_back) continue;
        encrypt(sealing, buffer, file->size);
        write_whole(file->to, buffer, file->size);
    }
    free(buffer);
    EVP_CIPHER_CTX_free(opening);
    EVP_CIPHER_CTX_free(sealing);
    return NULL;
}

static void run(int threads) {
    pthread_t others[256];
    atomic_store(&next_file, 0);
    for (int number = 1; number < threads; number++)
        if (pthread_create(&others[number], NULL, work, NULL) != 0) fail("thread");
    work(NULL);
    for (int number = 1; number < threads; number++) pthread_join(others[number], NULL);
}

int main(int argc, char **argv) {
    int threads = argc == 6 ? atoi(argv[5]) : 0;
    if (threads < 1 || threads > 256) {
        fprintf(stderr, "usage: rekey-bound STORE OLD-KEY NEW-KEY TARGET THREADS\n");
        return 2;
    }
    read_key(argv[2], old_key);
    read_key(argv[3], new_key);
    if (mkdir(argv[4], 0700) != 0) fail(argv[4]);
    list(joined(argv[1], "sophax_messages"), joined(argv[4], "sophax_messages"));
    list(joined(argv[1], "sophax_attachments"), joined(argv[4], "sophax_attachments"));
    qsort(files, count, sizeof *files, by_size);
    run(threads);
    int folder = open(argv[4], O_RDONLY | O_DIRECTORY);
    if (folder < 0 || syncfs(folder) != 0) fail(argv[4]);
    is_reading_back = 1;
    run(threads);
    size_t bytes = 0;
    for (size_t index = 0; index < count; index++) bytes += files[index].size;
    printf("%zu %zu\n", count, bytes);
    return 0;
}
