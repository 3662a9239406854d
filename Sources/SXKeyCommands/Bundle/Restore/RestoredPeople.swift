import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles

/// What became of the people of a bundle.
struct RestoredPeople {
    private(set) var added = 0
    private(set) var completed = 0
    private(set) var same = 0
    /// Their key was replaced here since; names.
    private(set) var outdated: [[UInt8]] = []
    /// The id or address of somebody else.
    private(set) var refused: [(name: [UInt8], judgement: ContactJudgement)] = []
    /// Without a name or without keys that can be used; names.
    private(set) var unusable: [[UInt8]] = []
    /// Marks, earlier keys and histories that were not taken from somebody who is not trusted.
    private(set) var untrusted = 0

    var total: Int { added + completed + same + outdated.count + refused.count + unusable.count }

    /// Somebody pretends to be somebody else.
    var hasImpersonation: Bool {
        refused.contains { entry in
            switch entry.judgement {
            case .impersonation, .foreignAddress: true
            default: false
            }
        }
    }

    /// Restores the contacts of a keyring.
    mutating func restore(
        _ records: [ContactRecord], isTrusted: Bool, _ keyring: Keyring, at time: Double, isDryRun: Bool
    ) throws(KeyringError) {
        for record in records {
            let taken = isTrusted ? record : record.withoutTrust(at: time)
            if !isTrusted, record.hasTrust { untrusted += 1 }
            let person = taken.restored
            if isDryRun {
                guard person.isUsable else {
                    unusable.append(record.name)
                    continue
                }
                count(try keyring.judge(person.person), record.name)
                continue
            }
            switch try keyring.restore(person, at: time) {
            case .added: added += 1
            case .completed: completed += 1
            case .same: same += 1
            case .outdated: outdated.append(record.name)
            case .refused(let judgement): refuse(judgement, record.name)
            case .unusable: unusable.append(record.name)
            }
        }
    }

    /// Restores contacts as an app has them: keys and a name.
    mutating func restore(
        _ peers: [KnownPeer], _ keyring: Keyring, at time: Double, isDryRun: Bool
    ) throws(KeyringError) {
        for peer in peers {
            let name = Array(peer.username.utf8)
            guard let keys = peer.publicKeys, Ed25519.isPublicKey(keys.signing.span), X25519.isPublicKey(keys.dh.span),
                let chosen = IdentityName(trimming: peer.username)
                    ?? IdentityName(trimming: PeerID(keys.fingerprint, form: .hex16).text)
            else {
                unusable.append(name)
                continue
            }
            let person = NewContact(origin: .backup, name: chosen, keys: keys, claimedPeerIDs: [peer.id])
            let judgement = try keyring.judge(person)
            count(judgement, name)
            if !isDryRun { _ = try keyring.add(person, name: chosen, at: time) }
        }
    }

    private mutating func count(_ judgement: ContactJudgement, _ name: [UInt8]) {
        switch judgement {
        case .new: added += 1
        case .known: same += 1
        case .completes: completed += 1
        case .replaced: outdated.append(name)
        case .ownIdentity, .impersonation, .foreignAddress: refuse(judgement, name)
        }
    }

    private mutating func refuse(_ judgement: ContactJudgement, _ name: [UInt8]) {
        // Oneself among one's contacts is nothing to worry about.
        if case .ownIdentity = judgement { same += 1 } else { refused.append((name, judgement)) }
    }
}
