// The bound: a VFS that only encrypts. Pages and journal pages are AES-256-GCM by libcrypto with a random nonce, in the
// places where sxkey's sealed database has them: 8,192 bytes of header, nonce and tag in the 32 reserved bytes of a page.
// It keeps no key safe, checks nothing but the tags, and cannot recover; it shows what the encryption alone costs.
//
// usage: sealing-bound plain|sealed DATABASE WORKLOADS SECTION…
// Runs the sections on one connection and prints the seconds and the
// processor seconds of their timed parts and the last number.

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEADER = 8192, PAGE = 4096, RESERVED = 32, TEXT = PAGE - RESERVED, NONCE = 12, TAG = 16 };

static void fail(const char *what) {
    fprintf(stderr, "sealing-bound: %s\n", what);
    exit(1);
}

// --- the cipher ------------------------------------------------------------------------------------------------------

static EVP_CIPHER_CTX *sealing, *opening;

static void make_ciphers(void) {
    static const unsigned char key[32] = {1, 2, 3};
    sealing = EVP_CIPHER_CTX_new();
    opening = EVP_CIPHER_CTX_new();
    if (!sealing || !opening || EVP_EncryptInit_ex(sealing, EVP_aes_256_gcm(), NULL, key, NULL) != 1 ||
        EVP_DecryptInit_ex(opening, EVP_aes_256_gcm(), NULL, key, NULL) != 1)
        fail("no cipher");
}

static const unsigned char *next_nonce(void) {
    static unsigned char pool[NONCE * 256];
    static size_t used = sizeof pool;
    if (used == sizeof pool) {
        if (RAND_bytes(pool, sizeof pool) != 1) fail("no random bytes");
        used = 0;
    }
    used += NONCE;
    return pool + used - NONCE;
}

static int seal(const unsigned char *page, unsigned char *sealed, const unsigned char *data, int count) {
    int n;
    unsigned char *nonce = sealed + TEXT;
    memcpy(nonce, next_nonce(), NONCE);
    memset(nonce + NONCE + TAG, 0, RESERVED - NONCE - TAG);
    return EVP_EncryptInit_ex(sealing, NULL, NULL, NULL, nonce) == 1 &&
           EVP_EncryptUpdate(sealing, NULL, &n, data, count) == 1 &&
           EVP_EncryptUpdate(sealing, sealed, &n, page, TEXT) == 1 && EVP_EncryptFinal_ex(sealing, sealed + n, &n) == 1 &&
           EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_GCM_GET_TAG, TAG, nonce + NONCE) == 1;
}

static int open_page(unsigned char *page, const unsigned char *data, int count) {
    int n;
    unsigned char *nonce = page + TEXT;
    int good = EVP_DecryptInit_ex(opening, NULL, NULL, NULL, nonce) == 1 &&
               EVP_DecryptUpdate(opening, NULL, &n, data, count) == 1 &&
               EVP_DecryptUpdate(opening, page, &n, page, TEXT) == 1 &&
               EVP_CIPHER_CTX_ctrl(opening, EVP_CTRL_GCM_SET_TAG, TAG, nonce + NONCE) == 1 &&
               EVP_DecryptFinal_ex(opening, page + n, &n) == 1;
    memset(nonce, 0, RESERVED);
    return good;
}

// --- files -----------------------------------------------------------------------------------------------------------

typedef struct {
    sqlite3_file file;
    int is_database;
} Bound;

static unsigned char scratch[PAGE];

static sqlite3_file *below(sqlite3_file *file) {
    return (sqlite3_file *)((Bound *)file + 1);
}

static void page_data(unsigned char data[5], sqlite3_int64 offset) {
    unsigned int number = (unsigned int)(offset / PAGE + 1);
    data[0] = 1;
    memcpy(data + 1, &number, sizeof number);
}

static int x_close(sqlite3_file *file) {
    return below(file)->pMethods->xClose(below(file));
}

static int x_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    sqlite3_file *base = below(file);
    if (!((Bound *)file)->is_database) return base->pMethods->xRead(base, buffer, count, offset);
    unsigned char data[5];
    page_data(data, offset);
    if (count == PAGE && offset % PAGE == 0) {
        int code = base->pMethods->xRead(base, buffer, PAGE, offset + HEADER);
        if (code != SQLITE_OK) return code;
        return open_page(buffer, data, sizeof data) ? SQLITE_OK : SQLITE_IOERR_READ;
    }
    sqlite3_int64 start = offset / PAGE * PAGE;
    int code = base->pMethods->xRead(base, scratch, PAGE, start + HEADER);
    if (code == SQLITE_IOERR_SHORT_READ) memset(buffer, 0, (size_t)count);
    if (code != SQLITE_OK) return code;
    if (!open_page(scratch, data, sizeof data)) return SQLITE_IOERR_READ;
    memcpy(buffer, scratch + (offset - start), (size_t)count);
    return SQLITE_OK;
}

static int x_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    sqlite3_file *base = below(file);
    int is_database = ((Bound *)file)->is_database;
    // A journal has whole pages too, and small pieces, which stay as they are.
    if (!is_database && count != PAGE) return base->pMethods->xWrite(base, buffer, count, offset);
    if (count != PAGE) return SQLITE_IOERR_WRITE;
    unsigned char data[5];
    page_data(data, offset);
    if (!seal(buffer, scratch, data, sizeof data)) return SQLITE_IOERR_WRITE;
    return base->pMethods->xWrite(base, scratch, PAGE, offset + (is_database ? HEADER : 0));
}

static int x_truncate(sqlite3_file *file, sqlite3_int64 size) {
    sqlite3_file *base = below(file);
    return base->pMethods->xTruncate(base, size + (((Bound *)file)->is_database ? HEADER : 0));
}

static int x_sync(sqlite3_file *file, int flags) {
    return below(file)->pMethods->xSync(below(file), flags);
}

static int x_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = below(file)->pMethods->xFileSize(below(file), size);
    if (((Bound *)file)->is_database) *size = *size > HEADER ? *size - HEADER : 0;
    return code;
}

static int x_lock(sqlite3_file *file, int level) {
    return below(file)->pMethods->xLock(below(file), level);
}

static int x_unlock(sqlite3_file *file, int level) {
    return below(file)->pMethods->xUnlock(below(file), level);
}

static int x_reserved(sqlite3_file *file, int *result) {
    return below(file)->pMethods->xCheckReservedLock(below(file), result);
}

static int x_control(sqlite3_file *file, int operation, void *argument) {
    if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE || operation == SQLITE_FCNTL_MMAP_SIZE)
        return SQLITE_NOTFOUND;
    return below(file)->pMethods->xFileControl(below(file), operation, argument);
}

static int x_sector(sqlite3_file *file) {
    (void)file;
    return 512;
}

static int x_characteristics(sqlite3_file *file) {
    (void)file;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_size,
    .xLock = x_lock,
    .xUnlock = x_unlock,
    .xCheckReservedLock = x_reserved,
    .xFileControl = x_control,
    .xSectorSize = x_sector,
    .xDeviceCharacteristics = x_characteristics,
};

static int x_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out) {
    sqlite3_vfs *base = vfs->pAppData;
    ((Bound *)file)->is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
    int code = base->xOpen(base, name, below(file), flags, out);
    file->pMethods = code == SQLITE_OK ? &methods : NULL;
    return code;
}

static void register_vfs(void) {
    static sqlite3_vfs vfs;
    sqlite3_vfs *base = sqlite3_vfs_find(NULL);
    vfs = *base;
    vfs.zName = "bound";
    vfs.pAppData = base;
    vfs.szOsFile = (int)sizeof(Bound) + base->szOsFile;
    vfs.xOpen = x_open;
    vfs.pNext = NULL;
    if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) fail("no VFS");
}

// --- workloads -------------------------------------------------------------------------------------------------------

static sqlite3_int64 last_number;

static void run(sqlite3 *database, const char *sql, int part) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(sqlite3_errmsg(database));
    int place = sqlite3_bind_parameter_index(statement, ":part");
    if (place) sqlite3_bind_int(statement, place, part);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) last_number = sqlite3_column_int64(statement, 0);
    if (code != SQLITE_DONE) fail(sqlite3_errmsg(database));
    sqlite3_finalize(statement);
}

typedef struct {
    double wall, processor;
} Seconds;

static double seconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static Seconds now(void) {
    return (Seconds){seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
}

// Statements between two directives are collected, as they may have to be repeated.
typedef struct {
    char *statements[64];
    int count, times;
} Group;

static void flush_group(sqlite3 *database, Group *group) {
    for (int part = 0; part < group->times; part++)
        for (int i = 0; i < group->count; i++) run(database, group->statements[i], part);
    for (int i = 0; i < group->count; i++) free(group->statements[i]);
    group->count = 0;
}

static Seconds section(sqlite3 *database, const char *path, const char *name) {
    FILE *file = fopen(path, "r");
    if (!file) fail("no workloads");
    char line[512], statement[8192] = "";
    int inside = 0, found = 0;
    Seconds start = {-1, 0};
    Group group = {.times = 1};
    while (fgets(line, sizeof line, file)) {
        size_t length = strcspn(line, "\n");
        line[length] = 0;
        if (strncmp(line, "--- ", 4) == 0) {
            const char *word = line + 4;
            int is_directive = !strcmp(word, "timed") || !strcmp(word, "once") || !strncmp(word, "repeat ", 7);
            if (inside) flush_group(database, &group);
            if (!is_directive) {
                inside = strcmp(word, name) == 0;
                found |= inside;
            } else if (inside) {
                if (!strcmp(word, "timed")) start = now();
                group.times = strncmp(word, "repeat ", 7) ? 1 : atoi(word + 7);
            }
            continue;
        }
        if (!inside || !strncmp(line, "--", 2) || !length) continue;
        strcat(strcat(statement, line), "\n");
        if (line[length - 1] == ';') {
            group.statements[group.count++] = strdup(statement);
            statement[0] = 0;
        }
    }
    fclose(file);
    if (!found) fail("no such section");
    flush_group(database, &group);
    if (start.wall < 0) return (Seconds){0, 0};
    Seconds end = now();
    return (Seconds){end.wall - start.wall, end.processor - start.processor};
}

int main(int count, char **arguments) {
    if (count < 5) fail("usage: sealing-bound plain|sealed DATABASE WORKLOADS SECTION…");
    int is_sealed = !strcmp(arguments[1], "sealed");
    make_ciphers();
    register_vfs();
    sqlite3 *database;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(arguments[2], &database, flags, is_sealed ? "bound" : NULL) != SQLITE_OK) fail("cannot open");
    int reserved = RESERVED;
    if (is_sealed && sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved) != SQLITE_OK)
        fail("no reserved bytes");
    section(database, arguments[3], "settings");
    Seconds seconds = {0, 0};
    for (int i = 4; i < count; i++) {
        Seconds time = section(database, arguments[3], arguments[i]);
        if (time.wall > 0) seconds = time;
    }
    printf("%.6f %.6f %lld\n", seconds.wall, seconds.processor, (long long)last_number);
    sqlite3_close(database);
}
