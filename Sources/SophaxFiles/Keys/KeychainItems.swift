import CryptoPrimitives

/// Keychain items in a JSON object, account → base64, as a dump of the app's keychain is written. Format: SophaxChat 5.1.
///
/// The text is full of private keys: it lies in one wiped buffer, and a value leaves it only as `SecretBytes`.
struct KeychainItems {
    private let buffer: PlaintextBuffer
    private let members: JSONMembers

    init(_ file: borrowing SecretBytes) throws(StoreKeyError) {
        var padded: SecretBytes
        do {
            padded = try SecretBytes(count: file.count + PlaintextMemory.padding)
        } catch {
            throw .outOfMemory(requested: file.count)
        }
        unsafe file.withUnsafeBytes { source in
            unsafe padded.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
        }
        buffer = PlaintextBuffer(secret: padded, text: 0..<file.count)
        do {
            members = try JSONMembers(object: buffer, 0..<file.count)
        } catch {
            switch error {
            case .unexpected(let offset): throw .notJSON(offset: offset)
            case .tooManyMembers: throw .notJSON(offset: 0)
            case .outOfMemory: throw .outOfMemory(requested: file.count)
            }
        }
        if let problem = members.problems.first { throw .notJSON(offset: problem.offset) }
    }

    /// The item `storage.master`, 32 bytes.
    func storageMaster() throws(StoreKeyError) -> SecretBytes {
        let name = Array(StoreKey.account.utf8)
        let found = members.members.filter { $0.key == name }
        guard let item = found.first else {
            throw .noStorageMaster(accounts: members.members.map { ByteText($0.key) })
        }
        guard found.count == 1 else { throw .repeatedItem }
        guard item.kind == .string else { throw .itemNotBase64 }
        let key = try decode(SecretString(item, in: buffer))
        guard key.count == StoreKey.length else { throw .itemWrongLength(found: key.count) }
        return key
    }

    private func decode(_ string: SecretString) throws(StoreKeyError) -> SecretBytes {
        do {
            return try string.decodeBase64()
        } catch {
            switch error {
            case .malformed: throw .itemNotBase64
            case .memory: throw .outOfMemory(requested: StoreKey.length)
            }
        }
    }
}
