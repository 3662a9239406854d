import CLibcrypto

/// Keys of libcrypto for the algorithms that it has from OpenSSL 3.5 on; the names of parameters are spelled out, as the
/// headers of 3.0 do not have them.
@safe
struct LibcryptoLattice: ~Copyable {
    let key: OpaquePointer

    /// Whether the linked libcrypto has the algorithm.
    static func knows(_ algorithm: StaticString) -> Bool {
        guard Libcrypto.isReady, let management = unsafe EVP_KEYMGMT_fetch(nil, cName(algorithm), nil) else {
            // The error queue would tell of a missing algorithm that nobody needed.
            ERR_clear_error()
            return false
        }
        unsafe EVP_KEYMGMT_free(management)
        return true
    }

    /// A key of `algorithm` whose `part` ("seed" or "pub") has these bytes; nil when libcrypto refuses them.
    init?(_ algorithm: StaticString, _ part: StaticString, _ bytes: UnsafeRawBufferPointer, isPrivate: Bool) {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, Self.cName(algorithm), nil) else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else {
            ERR_clear_error()
            return nil
        }
        var key: OpaquePointer?
        let selection = isPrivate ? OSSL_KEYMGMT_SELECT_KEYPAIR : OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        let status = unsafe withUnsafeTemporaryAllocation(of: OSSL_PARAM.self, capacity: 2) { parameters in
            unsafe parameters[0] = Self.octets(part, bytes)
            unsafe parameters[1] = OSSL_PARAM_construct_end()
            return unsafe EVP_PKEY_fromdata(context, &key, selection, parameters.baseAddress)
        }
        guard status == 1, let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe self.key = key
    }

    /// Frees the key, which also wipes it.
    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// The public key, `count` bytes; nil when it has another length.
    func publicKey(count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var written = 0
        var span = bytes.mutableSpan
        let status = unsafe span.withCPointer { target in
            unsafe EVP_PKEY_get_octet_string_param(key, Self.cName("pub"), target, count, &written)
        }
        guard status == 1, written == count else {
            ERR_clear_error()
            return nil
        }
        return bytes
    }

    /// A context for work with this key.
    func withContext<R: ~Copyable>(
        _ body: (OpaquePointer) throws(PostQuantumError) -> R
    ) throws(PostQuantumError) -> R {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw Self.failure() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return try unsafe body(context)
    }

    /// What a failed call of libcrypto is here; what it wrote to the error queue of the thread goes.
    static func failure() -> PostQuantumError {
        ERR_clear_error()
        return .libraryFailure
    }

    static func cName(_ name: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// A parameter with bytes; libcrypto wants them writable but does not write.
    static func octets(_ name: StaticString, _ bytes: UnsafeRawBufferPointer) -> OSSL_PARAM {
        unsafe OSSL_PARAM_construct_octet_string(
            cName(name), UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes.cPointer)), bytes.count)
    }
}
