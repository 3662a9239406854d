import SophaxCore
import SophaxFiles

/// Names of people by the fingerprints of their keys, found by peer ids of any length.
package struct PeerNames: Sendable {
    package private(set) var known: [(fingerprint: Fingerprint, name: [UInt8])]
    /// By the first 16 digits, which every form of a peer id has.
    private var places: [ByteText: [Int]] = [:]

    package init(known: [(fingerprint: Fingerprint, name: [UInt8])] = []) {
        self.known = []
        for one in known { add(one.name, of: one.fingerprint) }
    }

    package mutating func add(_ name: [UInt8], of fingerprint: Fingerprint) {
        places[ByteText(Array(fingerprint.hex.utf8.prefix(16))), default: []].append(known.count)
        known.append((fingerprint, name))
    }

    package var isEmpty: Bool { known.isEmpty }

    /// The id of every key, all digits of it.
    package var peerIDs: [PeerID] { known.map { PeerID($0.fingerprint, form: .hex64) } }

    /// UTF-8 of the name for a peer id; nil for one that nobody has, and for one that two have.
    package func name(of peerID: [UInt8]) -> [UInt8]? {
        let id = PeerID(bytes: peerID)
        let beginning = ByteText(Array(peerID.prefix(16)))
        let candidates = peerID.count >= 16 ? (places[beginning] ?? []) : Array(known.indices)
        let found = candidates.filter { id.matches(known[$0].fingerprint) }
        return found.count == 1 ? known[found[0]].name : nil
    }
}

extension PeerNames {
    /// Names from two places; of a key that both know, the first one's.
    package func joined(with other: PeerNames) -> PeerNames {
        var joined = self
        let seen = Set(known.map(\.fingerprint))
        for one in other.known where !seen.contains(one.fingerprint) { joined.add(one.name, of: one.fingerprint) }
        return joined
    }
}
