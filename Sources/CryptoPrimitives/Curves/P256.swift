import CLibcrypto

/// Why a key of P-256 could not be taken or used.
package enum P256Error: Error, Equatable, Sendable {
    /// A private key has another number of bytes than 32.
    case privateKeyLength(found: Int)
    /// The number is zero, or not below the order of the group.
    case notAPrivateKey
    /// Not a point of the curve in the uncompressed form: another length or first byte, a coordinate beyond the field,
    /// off the curve, or at infinity.
    case notAPoint
    /// No PKCS#8 (RFC 5958) of one EC key in DER, or something behind it.
    case notPKCS8
    /// A key of another curve, or a curve that is not named.
    case otherCurve
    /// The public key beside the private one is another's.
    case publicKeyDiffers
    case memory(SecretMemoryError)
    /// The C library failed although its arguments were right (no memory).
    case libraryFailure
}

/// ECDH over NIST P-256 (FIPS 186-4, SP 800-56A) through libcrypto.
///
/// Private keys are numbers of 32 bytes, big-endian; public keys are points in the uncompressed form `04 ‖ X ‖ Y` and in no
/// other; the shared secret is the x-coordinate.
package enum P256 {
    package static let privateKeyLength = 32
    package static let publicKeyLength = 65
    package static let secretLength = 32

    /// A fresh private key.
    package static func makePrivateKey(_ random: RandomSource = .system) throws(P256Error) -> SecretBytes {
        // A number of 32 bytes is none in one of some four thousand million cases; a source that never gives one is broken.
        for _ in 0..<16 {
            let candidate: SecretBytes
            do { candidate = try random.secret(privateKeyLength) } catch { throw .memory(error) }
            do throws(P256Error) {
                _ = try publicKey(of: candidate)
            } catch .notAPrivateKey {
                continue
            }
            return candidate
        }
        throw .libraryFailure
    }

    /// The public key of `privateKey`, 65 bytes.
    package static func publicKey(of privateKey: borrowing SecretBytes) throws(P256Error) -> [UInt8] {
        guard privateKey.count == privateKeyLength else { throw .privateKeyLength(found: privateKey.count) }
        let group = try P256Group()
        return try unsafe privateKey.withUnsafeBytes { bytes throws(P256Error) in
            unsafe try group.publicKey(ofScalar: bytes)
        }
    }

    /// Whether `bytes` are a public key: a point of the curve in its uncompressed form, not at infinity.
    package static func isPublicKey(_ bytes: Span<UInt8>) -> Bool {
        guard isUncompressed(bytes), let group = try? P256Group() else { return false }
        return group.isPoint(bytes)
    }

    /// The secret that `privateKey` shares with the owner of `publicKey`: the x-coordinate, 32 bytes.
    package static func sharedSecret(
        privateKey: borrowing SecretBytes, publicKey: Span<UInt8>
    ) throws(P256Error) -> SecretBytes {
        // What a peer sent is judged before the private key is touched.
        guard isPublicKey(publicKey) else { throw .notAPoint }
        let own = try self.publicKey(of: privateKey)
        let key = try EVPKey(privateKey: privateKey, publicKey: own.span)
        let peer = try EVPKey(publicKey: publicKey)
        return try key.derive(with: peer)
    }

    private static func isUncompressed(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == publicKeyLength && bytes[0] == 4
    }
}

/// The group of the curve, with room for a computation.
@safe
private struct P256Group: ~Copyable {
    private let group: OpaquePointer
    private let context: OpaquePointer

    init() throws(P256Error) {
        guard Libcrypto.isReady, let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
            throw .libraryFailure
        }
        guard let context = unsafe BN_CTX_secure_new() else {
            unsafe EC_GROUP_free(group)
            throw .libraryFailure
        }
        unsafe self.group = group
        unsafe self.context = context
    }

    deinit {
        unsafe BN_CTX_free(context)
        unsafe EC_GROUP_free(group)
    }

    /// The point that the number `scalar` stands for as a private key.
    func publicKey(ofScalar scalar: UnsafeRawBufferPointer) throws(P256Error) -> [UInt8] {
        guard let number = unsafe BN_secure_new() else { throw .libraryFailure }
        defer { unsafe BN_clear_free(number) }
        guard unsafe BN_bin2bn(scalar.cPointer, Int32(scalar.count), number) != nil else { throw .libraryFailure }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        guard unsafe BN_is_zero(number) == 0, unsafe BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else {
            throw .notAPrivateKey
        }
        guard let point = unsafe EC_POINT_new(group) else { throw .libraryFailure }
        defer { unsafe EC_POINT_free(point) }
        guard unsafe EC_POINT_mul(group, point, number, nil, nil, context) == 1 else { throw .libraryFailure }
        var bytes = [UInt8](repeating: 0, count: P256.publicKeyLength)
        let length = unsafe EC_POINT_point2oct(
            group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, context)
        guard length == bytes.count else { throw .libraryFailure }
        return bytes
    }

    /// Whether the bytes are a point of the curve; libcrypto looks at the range of the coordinates and the equation.
    func isPoint(_ bytes: Span<UInt8>) -> Bool {
        guard let point = unsafe EC_POINT_new(group) else { return false }
        defer { unsafe EC_POINT_free(point) }
        let status = unsafe bytes.withCPointer { start in
            unsafe EC_POINT_oct2point(group, point, start, bytes.count, context)
        }
        defer { ERR_clear_error() }
        guard status == 1, unsafe EC_POINT_is_at_infinity(group, point) == 0 else { return false }
        return unsafe EC_POINT_is_on_curve(group, point, context) == 1
    }
}
