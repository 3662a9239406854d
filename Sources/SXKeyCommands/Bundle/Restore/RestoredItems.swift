import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles

/// The identity of a bundle, proven: its private keys belong to the fingerprint that the bundle says.
final class RestoredIdentity {
    let keys: Identity
    /// UTF-8, what the bundle calls it.
    let rawName: [UInt8]
    /// As the keyring can keep it.
    let name: IdentityName?
    /// Where the keyring that made the bundle had it from.
    let origin: String
    /// When that keyring got it, Unix seconds.
    let createdAt: Double?

    private init(_ keys: consuming Identity, rawName: [UInt8], origin: String, createdAt: Double?) {
        self.keys = keys
        self.rawName = rawName
        name = IdentityName(trimming: String(decoding: rawName, as: UTF8.self))
        self.origin = origin
        self.createdAt = createdAt
    }

    var fingerprint: Fingerprint { keys.fingerprint }

    /// Why there is no identity.
    enum Failure: Error {
        case document(DocumentError)
        /// A key is missing or of a wrong length.
        case damagedKeys
        case fingerprintDiffers(stated: String, found: Fingerprint)
        case memory(SecretMemoryError)
    }

    private static func value(_ account: ItemAccount, in document: ItemsDocument) throws(Failure) -> SecretBytes? {
        do throws(DocumentError) { return try document.value(of: account.text) } catch { throw .document(error) }
    }

    /// The identity of `identity.json`.
    static func read(_ document: ItemsDocument) throws(Failure) -> RestoredIdentity {
        let seed = try value(.signing, in: document)
        let dh = try value(.dh, in: document)
        let username = try value(.username, in: document)
        guard let seed, let dh else { throw .damagedKeys }
        var rawName = document.head.name ?? []
        if document.head.name == nil, let username {
            rawName = username.withSpan { bytes in bytes.indices.map { bytes[$0] } }
        }
        let keys: Identity
        do throws(IdentityError) {
            keys = try Identity(
                signingSeed: seed, dhPrivate: dh, username: String(decoding: rawName, as: UTF8.self))
        } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .damagedKeys
        }
        if let stated = document.head.fingerprint, stated != keys.fingerprint.hex {
            throw .fingerprintDiffers(stated: stated, found: keys.fingerprint)
        }
        return RestoredIdentity(
            keys, rawName: rawName, origin: document.head.origin ?? "bundle", createdAt: document.head.createdAt)
    }
}

/// What became of the private items of a bundle.
struct RestoredItems {
    private(set) var added: [BundlePart: Int] = [:]
    /// There already, with the same value.
    private(set) var equal = 0
    /// There already with another value, and left as they are.
    private(set) var different: [ItemAccount] = []
    /// Not taken from somebody who is not trusted.
    private(set) var untrusted: [ItemAccount] = []
    /// Names that no keyring can have.
    private(set) var unusable = 0
    /// One-time prekeys that nobody gets any more: somebody may have them since the bundle was made.
    private(set) var retiredPreKeys = 0

    var total: Int { added.values.reduce(0, +) }

    /// Adds the items of a document that an identity lacks. Sessions are marked as stale.
    ///
    /// - Parameters:
    ///   - identity: nil where the keyring would get it, and nothing is done.
    ///   - isNew: the identity was added just now.
    mutating func restore(
        _ document: ItemsDocument, into identity: KeyringIdentity?, isNew: Bool, isTrusted: Bool, _ keyring: Keyring,
        at time: Double, isDryRun: Bool
    ) throws(KeyringError) -> DocumentError? {
        do throws(RestoreStop) {
            for (index, item) in try RestoreStop.document({ () throws(DocumentError) in try document.listing() })
                .enumerated()
            {
                let name = document.part == .sessions ? Self.stale(item.account) : item.account
                guard let account = ItemAccount(bytes: name) else {
                    unusable += 1
                    continue
                }
                if !isTrusted, BundlePart.isTrust(item.account) {
                    untrusted.append(account)
                    continue
                }
                // The keys are proven and in place, and the name goes with the identity.
                if [.signing, .dh, .username].contains(account) {
                    if isNew { added[document.part, default: 0] += 1 }
                    if !isNew, account != .username { equal += 1 }
                    continue
                }
                let value = try RestoreStop.document { () throws(DocumentError) in try document.value(at: index) }
                try RestoreStop.keyring { () throws(KeyringError) in
                    try put(
                        item, account, value, document.part, into: identity, keyring, at: time, isDryRun: isDryRun)
                }
            }
            return nil
        } catch {
            switch error {
            case .keyring(let error): throw error
            case .document(let error): return error
            }
        }
    }

    private mutating func put(
        _ item: BundleItem, _ account: ItemAccount, _ value: borrowing SecretBytes, _ part: BundlePart,
        into identity: KeyringIdentity?, _ keyring: Keyring, at time: Double, isDryRun: Bool
    ) throws(KeyringError) {
        let account =
            try identity.map { (identity) throws(KeyringError) in
                try keyring.place(for: account, value, of: identity)
            } ?? account
        if let identity, let present = try keyring.item(account, of: identity) {
            if present.isEqual(to: value) {
                equal += 1
            } else {
                different.append(account)
            }
            return
        }
        added[part, default: 0] += 1
        var times = PreKeyTimes(
            madeAt: item.madeAt, replacedAt: item.replacedAt, publishedAt: item.publishedAt)
        if account.text.hasPrefix("otpk."), times.madeAt != nil, times.publishedAt == nil {
            times.publishedAt = time
            retiredPreKeys += 1
        }
        guard let identity, !isDryRun else { return }
        try keyring.setItem(account, of: identity, to: value, at: item.changedAt ?? time)
        if part == .preKeys { try keyring.restoreTimes(times, of: account, of: identity) }
    }

    /// The name of a session that is behind the other side's: nobody takes it for one to go on with.
    static func stale(_ account: [UInt8]) -> [UInt8] {
        let mark = Array("stale.".utf8)
        return account.starts(with: mark) ? account : mark + account
    }
}

/// Why restoring stopped: the bundle or the keyring.
private enum RestoreStop: Error {
    case document(DocumentError)
    case keyring(KeyringError)

    static func document<R: ~Copyable>(_ body: () throws(DocumentError) -> R) throws(RestoreStop) -> R {
        do throws(DocumentError) { return try body() } catch { throw .document(error) }
    }

    static func keyring(_ body: () throws(KeyringError) -> Void) throws(RestoreStop) {
        do throws(KeyringError) { try body() } catch { throw .keyring(error) }
    }
}
