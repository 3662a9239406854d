import SophaxCore
import SophaxFiles

/// Somebody of `contacts.json`, from a keyring's record or from an app's peer.
struct Person: Sendable {
    /// UTF-8.
    let name: ByteText
    /// The first 16 digits of the id, which every form of it begins with.
    let id: ByteText
    /// Lower-case hex digits of the current keys; nil where none are known.
    let fingerprint: String?
    let isVerified: Bool
    let isBlocked: Bool
    /// Everything that is known, in the form of its source.
    let source: [UInt8]
    /// From a peer of an app.
    let isPeer: Bool

    var title: ByteText {
        name.bytes.isEmpty ? id : ByteText(name.bytes + Array(" (".utf8) + id.bytes + [UInt8(ascii: ")")])
    }

    init(_ record: ContactRecord) {
        name = ByteText(record.name)
        let fingerprint = record.currentKey.map { $0.keys.fingerprint.hex }
        self.fingerprint = fingerprint
        id = Self.digits(fingerprint.map { Array($0.utf8) } ?? record.cardPeerID ?? record.name)
        isVerified = record.currentKey?.mark != nil
        isBlocked = record.isBlocked
        source = record.text()
        isPeer = false
    }

    init(_ peer: KnownPeer) {
        name = ByteText(peer.username)
        fingerprint = peer.publicKeys?.fingerprint.hex
        id = Self.digits(fingerprint.map { Array($0.utf8) } ?? peer.id.bytes)
        isVerified = false
        isBlocked = false
        // Not a message, but an object in the one spelling that two equal ones share.
        source = CanonicalMessage(source: peer.sourceJSON).bytes
        isPeer = true
    }

    private static func digits(_ id: [UInt8]) -> ByteText {
        ByteText(Array(id.prefix(PeerID.Form.hex16.digits ?? id.count)))
    }

    /// In what two records of one person differ, in our own words; nil when they are the same. `peersOnly`: one side has
    /// no room for marks and history.
    func difference(to other: Person, peersOnly: Bool) -> String? {
        if let fingerprint, let theirs = other.fingerprint, fingerprint != theirs { return "other keys" }
        if name != other.name { return "another name" }
        if peersOnly { return isPeer && other.isPeer && source != other.source ? "other details" : nil }
        if isVerified != other.isVerified { return isVerified ? "no longer verified" : "verified" }
        if isBlocked != other.isBlocked { return isBlocked ? "no longer blocked" : "blocked" }
        return source == other.source ? nil : "another history or address"
    }
}

extension BundleIndex {
    /// Everybody by the first digits of his id. A keyring's record counts before a peer of the same person.
    var people: [ByteText: Person] {
        guard let head = documents[.contacts]?.head else { return [:] }
        var found: [ByteText: Person] = [:]
        var ignored = FindingList()
        for source in head.peers {
            guard let peer = KnownPeer.read(source, path: "peers", findings: &ignored).map(Person.init) else {
                continue
            }
            found[peer.id] = peer
        }
        for person in head.contacts.map(Person.init) { found[person.id] = person }
        return found
    }
}
