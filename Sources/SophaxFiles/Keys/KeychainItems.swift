import CryptoPrimitives
import JSONCoding

/// Keychain items in a JSON object, account → base64, as a dump of the app's keychain is written. Format: SophaxChat 5.1.
///
/// The text is full of private keys: it lies in one wiped buffer, and a value leaves it only as `SecretBytes`.
struct KeychainItems {
    private let buffer: PlaintextBuffer
    private let members: JSONMembers

    init(_ file: borrowing SecretBytes) throws(StoreKeyError) {
        do throws(SecretMemoryError) {
            buffer = try PlaintextBuffer(secretCopyOf: file)
        } catch {
            throw .outOfMemory(requested: file.count)
        }
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
        let account = ByteText(name)
        guard found.count == 1 else { throw .repeatedItem(account) }
        guard item.kind == .string else { throw .itemNotBase64(account) }
        let key = try decode(SecretString(item, in: buffer), account)
        guard key.count == StoreKey.length else { throw .itemWrongLength(found: key.count) }
        return key
    }

    /// All items, in the order of the file.
    ///
    /// Errors: `.repeatedItem` for an account that stands twice, `.itemNotBase64` for a value that is no base64 string.
    func items() throws(StoreKeyError) -> [KeychainItem] {
        var seen: Set<[UInt8]> = []
        var items: [KeychainItem] = []
        for member in members.members {
            let account = ByteText(member.key)
            guard seen.insert(member.key).inserted else { throw .repeatedItem(account) }
            guard member.kind == .string else { throw .itemNotBase64(account) }
            items.append(KeychainItem(account, try decode(SecretString(member, in: buffer), account)))
        }
        return items
    }

    private func decode(_ string: SecretString, _ account: ByteText) throws(StoreKeyError) -> SecretBytes {
        do {
            return try string.decodeBase64()
        } catch {
            switch error {
            case .malformed: throw .itemNotBase64(account)
            case .memory: throw .outOfMemory(requested: StoreKey.length)
            }
        }
    }
}
