import CLibcrypto
import CSodium

/// A key of libcrypto, freed (and a private one wiped) with this value.
@safe
struct EVPKey: ~Copyable {
    private let key: OpaquePointer

    /// A pair of P-256; both halves were checked.
    init(privateKey: borrowing SecretBytes, publicKey: Span<UInt8>) throws(P256Error) {
        // libcrypto takes a number of a parameter in the order of the machine, which is little-endian.
        var reversed: SecretBytes
        do { reversed = try privateKey.copy() } catch { throw .memory(error) }
        reversed.withMutableSpan { bytes in
            for index in 0..<bytes.count / 2 { bytes.swapAt(index, bytes.count - 1 - index) }
        }
        unsafe key = try reversed.withUnsafeMutableBytes { number throws(P256Error) in
            unsafe try Self.make(number, publicKey)
        }
    }

    /// A public key of P-256; the point was checked.
    init(publicKey: Span<UInt8>) throws(P256Error) {
        unsafe key = try Self.make(nil, publicKey)
    }

    /// Takes over a key that libcrypto has read.
    private init(adopting key: OpaquePointer) {
        unsafe self.key = key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// EVP_PKEY_PUBLIC_KEY and EVP_PKEY_KEYPAIR, whose macros Swift does not see.
    private static let publicParts =
        OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
    private static let pairParts = publicParts | OSSL_KEYMGMT_SELECT_PRIVATE_KEY

    /// A name that libcrypto keeps the address of: a `String` would be gone by the time it is read.
    private static func name(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private static func make(
        _ number: UnsafeMutableRawBufferPointer?, _ publicKey: Span<UInt8>
    ) throws(P256Error) -> OpaquePointer {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .libraryFailure }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { throw .libraryFailure }
        var key: OpaquePointer?
        // libcrypto asks for what it may write to, and only reads.
        var group = Array("prime256v1".utf8CString)
        var point = unsafe publicKey.withUnsafeBufferPointer { unsafe Array($0) }
        let status = unsafe group.withUnsafeMutableBufferPointer { group in
            unsafe point.withUnsafeMutableBufferPointer { point in
                var parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(name("group"), group.baseAddress, 0),
                    OSSL_PARAM_construct_octet_string(name("pub"), point.baseAddress, point.count),
                ]
                if let number = unsafe number {
                    unsafe parameters.append(
                        OSSL_PARAM_construct_BN(name("priv"), number.cPointer, number.count))
                }
                unsafe parameters.append(OSSL_PARAM_construct_end())
                let parts = unsafe number == nil ? publicParts : pairParts
                return unsafe EVP_PKEY_fromdata(context, &key, parts, &parameters)
            }
        }
        guard status == 1, let key = unsafe key else { throw .libraryFailure }
        return unsafe key
    }

    /// The x-coordinate that this private key shares with `peer`, 32 bytes.
    func derive(with peer: borrowing EVPKey) throws(P256Error) -> SecretBytes {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw .libraryFailure }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, peer.key) == 1 else {
            throw .libraryFailure
        }
        var secret: SecretBytes
        do { secret = try SecretBytes(count: P256.secretLength) } catch { throw .memory(error) }
        let length = unsafe secret.withUnsafeMutableBytes { target in
            var length = target.count
            let status = unsafe EVP_PKEY_derive(context, target.cPointer, &length)
            return status == 1 ? length : 0
        }
        guard length == P256.secretLength else { throw .libraryFailure }
        return secret
    }
}

// MARK: - PKCS#8

extension P256 {
    /// The largest PKCS#8 text that is looked at; one of this curve with everything optional in it has some 200 bytes.
    package static let maximumPKCS8 = 4096

    /// The private key in a PKCS#8 structure (RFC 5958, RFC 5915) in DER, read by libcrypto's decoder.
    ///
    /// Only the named curve is taken, nothing may follow, and a public key inside must be that of the private one.
    package static func privateKey(pkcs8 text: borrowing SecretBytes) throws(P256Error) -> SecretBytes {
        guard text.count > 0, text.count <= maximumPKCS8, isPrivateKeyInfo(text) else { throw .notPKCS8 }
        let key = try unsafe text.withUnsafeBytes { bytes throws(P256Error) in unsafe try EVPKey(pkcs8: bytes) }
        guard key.isOfP256 else { throw .otherCurve }
        let number = try key.privateNumber()
        let own = try publicKey(of: number)
        guard key.statedPublicKey() == own else { throw .publicKeyDiffers }
        return number
    }

    /// Whether the outermost SEQUENCE begins with a version and an algorithm: the decoder also takes a bare structure of
    /// RFC 5915, in which the number follows the version.
    private static func isPrivateKeyInfo(_ text: borrowing SecretBytes) -> Bool {
        text.withSpan { bytes in
            guard bytes.count > 2, bytes[0] == 0x30 else { return false }
            let start = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7F)
            guard start < 7, bytes.count > start + 3 else { return false }
            return bytes[start] == 0x02 && bytes[start + 1] == 0x01 && bytes[start + 3] == 0x30
        }
    }

    /// A private key as PKCS#8 in DER, with its public key, as WebCrypto and OpenSSL write it: 138 bytes.
    package static func pkcs8(of privateKey: borrowing SecretBytes) throws(P256Error) -> SecretBytes {
        let own = try publicKey(of: privateKey)
        do throws(SecretMemoryError) {
            let head = try SecretBytes(copying: pkcs8Head.span)
            let middle = try SecretBytes(copying: pkcs8Middle.span)
            let tail = try SecretBytes(copying: own.span)
            return try head.appending(privateKey).appending(middle).appending(tail)
        } catch {
            throw .memory(error)
        }
    }

    /// SEQUENCE { version 0, { id-ecPublicKey, prime256v1 }, OCTET STRING { SEQUENCE { 1, OCTET STRING (32) …
    private static let pkcs8Head: [UInt8] = [
        0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
        0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01, 0x04, 0x20,
    ]
    /// … [1] { BIT STRING (65 bytes, no unused bits) } } } }
    private static let pkcs8Middle: [UInt8] = [0xA1, 0x44, 0x03, 0x42, 0x00]
}

extension EVPKey {
    /// Reads one EC key in DER that fills `bytes`.
    init(pkcs8 bytes: UnsafeRawBufferPointer) throws(P256Error) {
        unsafe self.init(adopting: try Self.decode(bytes))
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer) throws(P256Error) -> OpaquePointer {
        guard Libcrypto.isReady else { throw .libraryFailure }
        var key: OpaquePointer?
        var rest = bytes.count
        // The decoder keeps the addresses of the key's place and of the names until it has read the key.
        let status = unsafe withUnsafeMutablePointer(to: &key) { place -> Int32? in
            guard
                let context = unsafe OSSL_DECODER_CTX_new_for_pkey(
                    place, name("DER"), name("PrivateKeyInfo"), name("EC"), Self.pairParts, nil, nil)
            else { return nil }
            defer { unsafe OSSL_DECODER_CTX_free(context) }
            var start: UnsafePointer<UInt8>? = unsafe bytes.cPointer
            return unsafe OSSL_DECODER_from_data(context, &start, &rest)
        }
        ERR_clear_error()
        guard let status else { throw .libraryFailure }
        guard status == 1, let key = unsafe key else { throw .notPKCS8 }
        guard rest == 0 else {
            unsafe EVP_PKEY_free(key)
            throw .notPKCS8
        }
        return unsafe key
    }

    /// The key is of P-256, by the curve's name.
    var isOfP256: Bool {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
        return name.prefix(length).elementsEqual("prime256v1".utf8CString.dropLast())
    }

    /// The private number, 32 bytes.
    func privateNumber() throws(P256Error) -> SecretBytes {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1, let number = unsafe number
        else { throw .notPKCS8 }
        defer { unsafe BN_clear_free(number) }
        var secret: SecretBytes
        do { secret = try SecretBytes(count: P256.privateKeyLength) } catch { throw .memory(error) }
        let count = unsafe secret.withUnsafeMutableBytes { target in
            unsafe BN_bn2binpad(number, target.cPointer, Int32(target.count))
        }
        guard Int(count) == P256.privateKeyLength else { throw .notAPrivateKey }
        return secret
    }

    /// The public key beside it, in the form in which it is stated; libcrypto computes one that is not. Nil for none, and for
    /// one that is longer than any form of the curve.
    func statedPublicKey() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: P256.publicKeyLength)
        var length = 0
        let status = unsafe EVP_PKEY_get_octet_string_param(
            key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, &bytes, bytes.count, &length)
        guard status == 1, length <= bytes.count else { return nil }
        return Array(bytes[..<length])
    }
}
