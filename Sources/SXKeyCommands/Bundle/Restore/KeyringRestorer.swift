import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import StoreChanges

/// Restores the documents of a bundle into a keyring, as a whole or not at all.
struct KeyringRestorer {
    let bundle: OpenedInput
    let documents: [BundlePart: ItemsDocument]
    let name: IdentityName?
    let use: Bool
    let takesSessions: Bool
    let isDryRun: Bool

    func run(_ opened: OpenedKeyring, _ context: Context) throws(CommandError) -> RestoredKeyring {
        let identity = try readIdentity()
        let trust = try opened.doing { (keyring) throws(KeyringError) in try BundleTrust.judge(bundle, keyring) }
        let chosen = try chooseName(identity, opened)
        var failure: DocumentError?
        do throws(CommandError) {
            return try opened.doing { (keyring) throws(KeyringError) in
                if isDryRun {
                    return try keyring.reading { () throws(KeyringError) in
                        try restore(identity, chosen, trust, keyring, context, &failure)
                    }
                }
                return try keyring.changing { () throws(KeyringError) in
                    let result = try restore(identity, chosen, trust, keyring, context, &failure)
                    // Nothing of a bundle that turns out to be malformed stays.
                    if failure != nil { throw .noIdentity }
                    return result
                }
            }
        } catch {
            if let failure { throw .entries(.document(failure), bundle.path) }
            throw error
        }
    }

    private func readIdentity() throws(CommandError) -> RestoredIdentity? {
        guard let document = documents[.identity] else { return nil }
        do throws(RestoredIdentity.Failure) {
            return try RestoredIdentity.read(document)
        } catch {
            switch error {
            case .document(let error): throw .entries(.document(error), bundle.path)
            case .damagedKeys: throw .identity(.damagedKeys(bundle.path))
            case .memory(let error): throw .entries(.memory(error), bundle.path)
            case .fingerprintDiffers(let stated, let found):
                let bytes = Array(stated.utf8)
                guard let fingerprint = try? Fingerprint(hex: bytes.span) else {
                    throw .identity(.damagedKeys(bundle.path))
                }
                throw .identity(.fingerprintDiffers(stated: fingerprint, found: found, bundle.path))
            }
        }
    }

    /// The name that the identity gets; that of the keyring's when it is there already.
    private func chooseName(
        _ identity: RestoredIdentity?, _ opened: OpenedKeyring
    ) throws(CommandError) -> IdentityName? {
        guard let identity else { return nil }
        let all = try opened.doing { (keyring) throws(KeyringError) in try keyring.identities() }
        if let present = all.first(where: { $0.fingerprint == identity.fingerprint }) { return present.name }
        guard let chosen = name ?? identity.name else {
            throw .identity(.badNameInFile(identity.rawName, bundle.path))
        }
        if let other = all.first(where: { $0.name.isSimilar(to: chosen.bytes) }) {
            throw .bundleFailure(
                .making(.otherIdentity(chosen, found: identity.fingerprint, present: other, bundle.path)))
        }
        return chosen
    }

    private func restore(
        _ restored: RestoredIdentity?, _ chosen: IdentityName?, _ trust: BundleTrust, _ keyring: Keyring,
        _ context: Context, _ failure: inout DocumentError?
    ) throws(KeyringError) -> RestoredKeyring {
        var result = RestoredKeyring(trust: trust, takesSessions: takesSessions)
        var identity: KeyringIdentity?
        if let restored, let chosen {
            identity = try keyring.identity(restored.fingerprint)
            result.wasThere = identity != nil
            result.fingerprint = restored.fingerprint
            result.name = chosen
            result.keys = restored.keys.publicKeys
            if identity == nil, !isDryRun {
                identity = try keyring.addIdentity(
                    restored.keys, name: chosen, origin: restored.origin, at: restored.createdAt ?? context.now)
            }
        } else if !documents.keys.filter({ $0 == .preKeys || $0 == .groups || $0 == .sessions }).isEmpty {
            // Items without the identity that they belong to have no place.
            result.ownerless = true
        }
        if restored != nil {
            for part in [BundlePart.identity, .preKeys, .groups, .contacts, .sessions] {
                guard let document = documents[part], part != .sessions || (takesSessions && trust.isTrusted) else {
                    continue
                }
                do throws(DocumentError) {
                    try result.review.add(document)
                } catch {
                    failure = error
                    return result
                }
                failure = try result.items.restore(
                    document, into: identity, isNew: !result.wasThere, isTrusted: trust.isTrusted, keyring,
                    at: context.now, isDryRun: isDryRun)
                if failure != nil { return result }
            }
        }
        if let document = documents[.contacts] {
            try result.people.restore(
                document.head.contacts, isTrusted: trust.isTrusted, keyring, at: context.now, isDryRun: isDryRun)
            try result.people.restore(
                document.head.peers.compactMap { KnownPeer.read(source: $0) }, keyring, at: context.now,
                isDryRun: isDryRun)
        }
        if let identity, !isDryRun {
            if use { try keyring.use(identity) }
            // Said only after what is in the keyring was read back and its keys fit.
            _ = try keyring.privateKeys(of: identity)
        }
        return result
    }

    /// The key of the identity's store: that of the keyring, else of the bundle (for a plan, where nothing is restored).
    func storageMaster(_ opened: OpenedKeyring, word: [UInt8]?) throws(CommandError) -> SharedKey? {
        let own: KeyringIdentity? =
            if let document = documents[.identity], word == nil {
                try opened.doing { (keyring) throws(KeyringError) in
                    try keyring.identities().first { $0.fingerprint.hex == document.head.fingerprint }
                }
            } else {
                try opened.identity(word)
            }
        if let own, let key = try StoreKeySource.item(.storageMaster, of: own, in: opened) { return SharedKey(key) }
        guard let document = documents[.identity] else { return nil }
        do throws(DocumentError) {
            guard let key = try document.value(of: ItemAccount.storageMaster.text), key.count == StoreKey.length else {
                return nil
            }
            return SharedKey(key)
        } catch {
            throw .entries(.document(error), bundle.path)
        }
    }
}

/// What was restored into a keyring.
struct RestoredKeyring {
    let trust: BundleTrust
    let takesSessions: Bool
    var wasThere = false
    var name: IdentityName?
    var fingerprint: Fingerprint?
    var keys: IdentityPublicKeys?
    /// There are prekeys, groups or sessions, and no identity that they belong to.
    var ownerless = false
    var items = RestoredItems()
    var review = ItemReview()
    var people = RestoredPeople()

    var status: ExitStatus {
        if !items.different.isEmpty || items.unusable > 0 || !people.unusable.isEmpty || ownerless {
            return .someDamaged
        }
        return people.hasImpersonation || review.hasUnfit ? .finding : .success
    }
}
