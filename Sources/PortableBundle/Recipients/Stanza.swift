import CryptoPrimitives

/// The file key, wrapped for one recipient, as an object of the header says it.
struct Stanza: Equatable, Sendable {
    enum Method: Equatable, Sendable {
        case argon2id(Argon2id.Parameters, salt: [UInt8])
        case x25519(ephemeral: [UInt8])
        case xWing(encapsulated: [UInt8])
        case unknown
    }

    let method: Method
    let type: String
    /// The whole object.
    let value: HeaderValue
    /// File key and tag; empty where the type is unknown.
    let wrapped: [UInt8]

    static let saltLength = 32
    static let wrappedLength = SXBFormat.fileKeyLength + AEADSize.tag

    private enum TypeName {
        static let argon2id = "argon2id"
        static let x25519 = "x25519"
        static let xWing = "xwing"
    }

    /// Reads recipient number `number`. Errors: `.headerMalformed`, `.cost`.
    init(parsing value: HeaderValue, number: Int) throws(SXBError) {
        guard let type = value.member("type")?.string else { throw .headerMalformed(.key("type")) }
        self.type = type
        self.value = value
        switch type {
        case TypeName.argon2id:
            guard value.keys == ["lanes", "memory", "passes", "salt", "type", "wrapped"] else {
                throw .headerMalformed(.key("recipients"))
            }
            let salt = try Self.bytes("salt", of: value, count: Self.saltLength)
            let memory = try Self.number("memory", of: value)
            let passes = try Self.number("passes", of: value)
            let lanes = try Self.number("lanes", of: value)
            do throws(Argon2Error) {
                let cost = try Argon2id.Parameters(memoryKiB: memory, passes: passes, lanes: lanes)
                method = .argon2id(cost, salt: salt)
            } catch {
                throw .cost(recipient: number, error)
            }
            wrapped = try Self.bytes("wrapped", of: value, count: Self.wrappedLength)
        case TypeName.x25519:
            guard value.keys == ["ephemeral", "type", "wrapped"] else {
                throw .headerMalformed(.key("recipients"))
            }
            method = .x25519(ephemeral: try Self.bytes("ephemeral", of: value, count: X25519.keyLength))
            wrapped = try Self.bytes("wrapped", of: value, count: Self.wrappedLength)
        case TypeName.xWing:
            guard value.keys == ["encapsulated", "type", "wrapped"] else {
                throw .headerMalformed(.key("recipients"))
            }
            method = .xWing(encapsulated: try Self.bytes("encapsulated", of: value, count: XWing.ciphertextLength))
            wrapped = try Self.bytes("wrapped", of: value, count: Self.wrappedLength)
        default:
            method = .unknown
            wrapped = []
        }
    }

    var form: SXBRecipientForm {
        switch method {
        case .argon2id(let cost, _): .passphrase(cost)
        case .x25519: .x25519
        case .xWing: .xWing
        case .unknown: .unknown(type: type)
        }
    }

    /// The kind of bundle that it belongs into; nil when this version does not know.
    var kind: SXBKind? {
        switch method {
        case .argon2id: .passphrase
        case .x25519, .xWing: .publicKey
        case .unknown: nil
        }
    }

    private static func bytes(_ key: String, of value: HeaderValue, count: Int) throws(SXBError) -> [UInt8] {
        guard case .text(let text) = value.member(key), let bytes = Base64.decode(text.span), bytes.count == count
        else { throw .headerMalformed(.key(key)) }
        return bytes
    }

    /// A number beyond 32 bits is cut to the greatest, which no bounds allow.
    private static func number(_ key: String, of value: HeaderValue) throws(SXBError) -> UInt32 {
        guard case .number(let number) = value.member(key) else { throw .headerMalformed(.key(key)) }
        return UInt32(clamping: number)
    }
}

// MARK: - Wrapping

extension Stanza {
    /// Wraps the file key for who knows a passphrase.
    static func wrapping(
        _ fileKey: borrowing FileKey, passphrase: SXBSecret, cost: Argon2id.Parameters, context: [UInt8]
    ) throws(SXBError) -> Stanza {
        let salt = Random.bytes(saltLength)
        let fields: [String: HeaderValue] = [
            "type": .text(Array(TypeName.argon2id.utf8)),
            "memory": .number(UInt64(cost.memoryKiB)),
            "passes": .number(UInt64(cost.passes)),
            "lanes": .number(UInt64(cost.lanes)),
            "salt": .text(Array(Base64.encode(salt.span).utf8)),
        ]
        let key = try passphraseKey(passphrase, cost: cost, salt: salt)
        return try wrapping(fileKey, under: key, fields: fields, context: context)
    }

    /// Wraps the file key for the owner of a public key; `index` is its number among the recipients, for an error.
    static func wrapping(
        _ fileKey: borrowing FileKey, publicKey: [UInt8], index: Int, context: [UInt8]
    ) throws(SXBError) -> Stanza {
        let ephemeral: [UInt8]
        let shared: SecretBytes
        do throws(KeyAgreementError) {
            let pair = try X25519.makePrivateKey()
            ephemeral = try X25519.publicKey(of: pair)
            shared = try X25519.sharedSecret(privateKey: pair, publicKey: publicKey.span)
        } catch .memory(let error) {
            throw .memory(error)
        } catch {
            throw .unusablePublicKey(index: index)
        }
        let key = try agreedKey(shared, salt: ephemeral + publicKey, info: "sxb2/x25519")
        let fields: [String: HeaderValue] = [
            "type": .text(Array(TypeName.x25519.utf8)),
            "ephemeral": .text(Array(Base64.encode(ephemeral.span).utf8)),
        ]
        return try wrapping(fileKey, under: key, fields: fields, context: context)
    }

    /// Wraps the file key for the owner of an X-Wing public key, in the same way.
    static func wrapping(
        _ fileKey: borrowing FileKey, xWingKey: [UInt8], index: Int, context: [UInt8]
    ) throws(SXBError) -> Stanza {
        let encapsulated: [UInt8]
        let shared: SecretBytes
        do throws(PostQuantumError) {
            let made = try XWing.encapsulate(to: xWingKey.span)
            encapsulated = made.ciphertext
            shared = made.takeSecret()
        } catch .memory(let error) {
            throw .memory(error)
        } catch {
            throw .unusablePublicKey(index: index)
        }
        let key = try agreedKey(shared, salt: encapsulated + xWingKey, info: "sxb2/xwing")
        let fields: [String: HeaderValue] = [
            "type": .text(Array(TypeName.xWing.utf8)),
            "encapsulated": .text(Array(Base64.encode(encapsulated.span).utf8)),
        ]
        return try wrapping(fileKey, under: key, fields: fields, context: context)
    }

    private static func wrapping(
        _ fileKey: borrowing FileKey, under key: borrowing SecretBytes, fields: [String: HeaderValue], context: [UInt8]
    ) throws(SXBError) -> Stanza {
        let data = context + HeaderValue.object(fields).bytes
        let box = try fileKey.withSpan { bytes throws(SXBError) in
            do throws(AEADError) {
                var cipher = try AESGCM(key: key)
                return try cipher.sealCombined(bytes, nonce: nonce.span, authenticating: data.span)
            } catch {
                throw .library("AES-GCM")
            }
        }
        var all = fields
        let wrapped = Array(box.dropFirst(AEADSize.nonce))
        all["wrapped"] = .text(Array(Base64.encode(wrapped.span).utf8))
        return try Stanza(parsing: .object(all), number: 0)
    }

    /// Zeros: a wrapping key encrypts this one box.
    private static let nonce = [UInt8](repeating: 0, count: AEADSize.nonce)
}

// MARK: - Unwrapping

extension Stanza {
    /// The file key; nil when `secret` is not this recipient's.
    func unwrap(with secret: SXBSecret, context: [UInt8]) throws(SXBError) -> FileKey? {
        switch (method, secret.form) {
        case (.argon2id(let cost, let salt), .passphrase):
            return try open(under: Self.passphraseKey(secret, cost: cost, salt: salt), context: context)
        case (.x25519(let ephemeral), .x25519):
            let shared: SecretBytes
            do throws(KeyAgreementError) {
                shared = try X25519.sharedSecret(privateKey: secret.secret, publicKey: ephemeral.span)
            } catch .allZero {
                // A point of small order is nobody's pair: not for this key, nor for any.
                return nil
            } catch .memory(let error) {
                throw .memory(error)
            } catch {
                throw .library("X25519")
            }
            let key = try Self.agreedKey(shared, salt: ephemeral + secret.publicKey, info: "sxb2/x25519")
            return try open(under: key, context: context)
        case (.xWing(let encapsulated), .xWing):
            let shared: SecretBytes
            do throws(PostQuantumError) {
                shared = try XWing.decapsulate(encapsulated.span, seed: secret.secret)
            } catch .smallOrder {
                return nil
            } catch .memory(let error) {
                throw .memory(error)
            } catch {
                throw .library("X-Wing")
            }
            let key = try Self.agreedKey(shared, salt: encapsulated + secret.publicKey, info: "sxb2/xwing")
            return try open(under: key, context: context)
        case (.argon2id, _), (.x25519, _), (.xWing, _), (.unknown, _): return nil
        }
    }

    private func open(under key: borrowing SecretBytes, context: [UInt8]) throws(SXBError) -> FileKey? {
        guard case .object(let members) = value else { return nil }
        let fields = HeaderValue.object(members.filter { !$0.key.elementsEqual("wrapped".utf8) })
        let data = context + fields.bytes
        let box = Self.nonce + wrapped
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            return FileKey(try cipher.openCombined(box.span, authenticating: data.span))
        } catch .notAuthentic {
            return nil
        } catch .memory(let error) {
            throw .memory(error)
        } catch {
            throw .library("AES-GCM")
        }
    }

    private static func passphraseKey(
        _ secret: SXBSecret, cost: Argon2id.Parameters, salt: [UInt8]
    ) throws(SXBError) -> SecretBytes {
        do throws(Argon2Error) {
            return try Argon2id.derive(
                passphrase: secret.secret, salt: salt.span, parameters: cost, length: AEADSize.key)
        } catch {
            throw .passphraseDerivation(error)
        }
    }

    private static func agreedKey(
        _ shared: borrowing SecretBytes, salt: [UInt8], info: String
    ) throws(SXBError) -> SecretBytes {
        let info = Array(info.utf8)
        do throws(KeyDerivationError) {
            return try HKDF.derive(
                inputKey: shared, salt: salt.span, info: info.span, length: AEADSize.key, using: .sha256)
        } catch .memory(let error) {
            throw .memory(error)
        } catch {
            throw .library("HKDF")
        }
    }
}
