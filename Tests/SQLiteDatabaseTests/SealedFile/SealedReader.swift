import TestSupport

/// A reader of sealed databases in Python, written from the manual page alone (sxkey-formats(5), SEALED DATABASE) and on
/// another library: what it reads, anybody can.
enum SealedReader {
    /// Whether Python has a `cryptography` with Argon2id.
    static let isThere =
        ChildProcess.run(
            [
                "python3", "-c",
                """
                import hashlib, sqlite3
                from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
                Argon2id(salt=bytes(32), length=32, iterations=1, lanes=1, memory_cost=64)
                """,
            ]
        ).status == 0

    /// Runs the Python `steps` after the definitions of the reader, with `arguments` from `sys.argv[1]` on.
    static func run(_ steps: String, _ arguments: [String]) -> ChildProcess {
        ChildProcess.run(["python3", "-c", definitions + steps] + arguments)
    }

    private static let definitions = """
        import hashlib, hmac, sqlite3, struct, sys, unicodedata
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        def hkdf(key, info, salt=b""):
            return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt or None, info=info).derive(key)

        class Header:
            def __init__(self, copy):
                assert len(copy) == 4096 and copy[:4] == b"SXDB"
                assert hashlib.sha256(copy[:4064]).digest() == copy[4064:]
                self.copy = copy
                self.version, self.kind, page, start, self.generation = struct.unpack(">HHIIQ", copy[4:24])
                assert (self.version, page, start) == (1, 4096, 8192)
                assert not any(copy[24:64]) and not any(copy[2112:4032])

            def slot(self, number):
                return self.copy[64 + 256 * number:64 + 256 * (number + 1)]

            def unlock(self, number, secret):
                slot = self.slot(number)
                salt = slot[16:48]
                if slot[0] == 1:
                    memory, passes, lanes = struct.unpack(">III", slot[4:16])
                    text = unicodedata.normalize("NFC", secret.decode()).encode()
                    wrapping = Argon2id(
                        salt=salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory).derive(text)
                elif slot[0] == 2:
                    assert len(secret) == 32 and not any(slot[1:16])
                    wrapping = hkdf(secret, b"sxdb 1 key file", salt)
                assert not any(slot[108:])
                data = self.copy[:8] + struct.pack(">I", number) + slot[:48]
                master = AESGCM(wrapping).decrypt(slot[48:60], slot[60:108], data)
                assert hmac.digest(hkdf(master, b"sxdb 1 header"), self.copy[:4032], "sha256") == self.copy[4032:4064]
                return master

        def open_page(key, page, kind, number):
            assert len(page) == 4096 and page[4092:] == bytes(4)
            data = struct.pack(">II", kind, number)
            return AESGCM(key).decrypt(page[4064:4076], page[:4064] + page[4076:4092], data) + bytes(32)

        def open_journal(journal, master, kind):
            \"\"\"Pages by number, and how many there were.\"\"\"
            key = hkdf(master, b"sxdb 1 journal")
            pages, place, before = {}, 0, None
            while place + 12 <= len(journal) and any(journal[place:place + 12]):
                header = journal[place:place + 512]
                data = struct.pack(">IQ", kind, place) + header[:484]
                assert AESGCM(key).decrypt(header[484:496], header[496:], data) == b""
                magic, count, start, size, sector, length = struct.unpack(">QIIIII", header[:28])
                assert (magic, sector, length) == (0xd9d505f920a163d7, 512, 4096)
                before = size if before is None else before
                at = place + 512
                for _ in range(count):
                    number, = struct.unpack(">I", journal[at:at + 4])
                    sealed = journal[at + 4:at + 4100]
                    page = open_page(key, sealed, kind, number)
                    block = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(
                        sealed[4064:4076] + struct.pack(">I", 256))
                    sum = struct.unpack(">I", bytes(a ^ b for a, b in zip(journal[at + 4100:at + 4104], block)))[0]
                    assert sum == (start + sum_of(page)) % 2**32
                    pages.setdefault(number, page)
                    at += 4104
                place = (at + 511) // 512 * 512
            return pages, before

        def sum_of(page):
            return sum(page[place] for place in range(4096 - 200, 0, -200))

        def open_file(path, number, secret, target, journal=None):
            \"\"\"Writes the SQLite database inside to target.\"\"\"
            data = open(path, "rb").read()
            copies = [Header(data[:4096]), Header(data[4096:8192])]
            header = max(copies, key=lambda copy: copy.generation)
            master = header.unlock(number, secret)
            key = hkdf(master, b"sxdb 1 pages")
            restored, before = open_journal(open(journal, "rb").read(), master, header.kind) if journal else ({}, None)
            count = before or (len(data) - 8192) // 4096
            with open(target, "wb") as out:
                for page in range(1, count + 1):
                    sealed = data[8192 + 4096 * (page - 1):8192 + 4096 * page]
                    out.write(restored[page] if page in restored else open_page(key, sealed, header.kind, page))
            return header, master

        """
}
