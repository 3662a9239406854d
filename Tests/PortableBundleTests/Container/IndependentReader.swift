import TestSupport

/// A second reader of bundles, in Python with `cryptography`, written from sxkey-formats(5) alone: it shares no code with
/// the package. It decrypts to a file of frames, which zstd, GNU tar and bsdtar then read, and checks the signature.
enum IndependentReader {
    static let isThere =
        ChildProcess.has("python3") && ChildProcess.has("zstd") && ChildProcess.has("tar") && ChildProcess.has("bsdtar")
        && ChildProcess.run([
            "python3", "-c",
            """
            from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
            from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
            """,
        ]).status == 0

    /// Writes the frames in the bundle at `path` to `frames`. `secret` is `passphrase:…` or `key:` and hex digits.
    static func decrypt(_ path: String, secret: String, to frames: String) -> ChildProcess {
        ChildProcess.run(["python3", "-c", code, "decrypt", path, secret, frames])
    }

    /// Checks `signature.json` at the end of the archive at `tar`; prints the signing key and the recipients.
    static func checkSignature(_ path: String, tar: String) -> ChildProcess {
        ChildProcess.run(["python3", "-c", code, "signature", path, tar])
    }

    private static let code = #"""
        import base64, hashlib, hmac, json, struct, sys
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        def hkdf(key, salt, info):
            return HKDF(hashes.SHA256(), 32, salt, info).derive(key)

        def compact(value):
            return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

        mode, path = sys.argv[1:3]
        file = open(path, "rb").read()
        magic, version, n = struct.unpack(">4sBI", file[:9])
        assert magic == b"SXB2" and version == 1 and n <= 65536
        assert file[-16:] == b"SXB2END\x01" + struct.pack(">Q", len(file))
        text = file[9:9 + n]
        code, digest = file[9 + n:41 + n], file[41 + n:73 + n]
        assert hashlib.sha256(file[:41 + n]).digest() == digest
        header = json.loads(text)
        assert compact(header) == text
        identifier = base64.b64decode(header["bundle"], validate=True)
        context = hashlib.sha256(b"SXB2\x01" + header["kind"].encode() + b"\0" + identifier).digest()

        def decrypt(secret, target):
            file_key = None
            for recipient in header["recipients"]:
                wrapped = base64.b64decode(recipient.pop("wrapped"), validate=True)
                if header["kind"] == "passphrase":
                    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
                    wrapping = Argon2id(
                        salt=base64.b64decode(recipient["salt"]), length=32, iterations=recipient["passes"],
                        lanes=recipient["lanes"], memory_cost=recipient["memory"]).derive(secret[11:].encode())
                else:
                    private = X25519PrivateKey.from_private_bytes(bytes.fromhex(secret[4:]))
                    own = private.public_key().public_bytes_raw()
                    ephemeral = base64.b64decode(recipient["ephemeral"], validate=True)
                    shared = private.exchange(X25519PublicKey.from_public_bytes(ephemeral))
                    wrapping = hkdf(shared, ephemeral + own, b"sxb2/x25519")
                try:
                    file_key = AESGCM(wrapping).decrypt(bytes(12), wrapped, context + compact(recipient))
                    break
                except Exception:
                    pass
            assert file_key, "no recipient fits"
            header_key = hkdf(file_key, None, b"sxb2/header")
            assert hmac.digest(header_key, file[:9 + n], "sha256") == code
            payload = file[73 + n:-16]
            info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + payload[:24] + context
            derived = HKDFExpand(hashes.SHA512(), 76, info).derive(hkdf(file_key, None, b"sxb2/payload"))
            assert derived[44:] == payload[24:56]
            cipher, nonce = AESGCM(derived[:32]), int.from_bytes(derived[32:44], "big")
            chunks = [payload[place:place + 16400] for place in range(56, len(payload), 16400)]
            assert 16 <= len(chunks[-1]) < 16400
            with open(target, "wb") as out:
                for number, chunk in enumerate(chunks):
                    out.write(cipher.decrypt((nonce ^ number).to_bytes(12, "big"), chunk, None))

        def signature(tar):
            archive = open(tar, "rb").read()
            assert archive[-1024:] == bytes(1024)
            place = archive.rindex(b"signature.json\0")
            size = int(archive[place + 124:place + 135], 8)
            entry = json.loads(archive[place + 512:place + 512 + size])
            assert place + 512 + (size + 511) // 512 * 512 + 1024 == len(archive)
            keys = [base64.b64decode(entry[name]) for name in ("signing", "dh")]
            recipients = [base64.b64decode(key) for key in entry["recipients"]]
            assert recipients == sorted(recipients)
            message = b"sxkey bundle signature v1\0" + context + hashlib.sha256(archive[:place]).digest()
            message += b"".join(keys) + struct.pack(">I", len(recipients)) + b"".join(recipients)
            Ed25519PublicKey.from_public_bytes(keys[0]).verify(base64.b64decode(entry["signature"]), message)
            print(keys[0].hex(), *[key.hex() for key in recipients])

        if mode == "decrypt":
            decrypt(*sys.argv[3:])
        else:
            signature(*sys.argv[3:])
        """#
}
