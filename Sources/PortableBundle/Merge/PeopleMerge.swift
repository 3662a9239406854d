import JSONCoding
import SophaxCore
import SophaxFiles

/// Merges what two bundles know of people and groups.
///
/// A person is his keys: records with a key in common are one person, whatever the names. Keys, marks and events of both
/// are kept; a mark belongs to its key. What can have one value only is the newer bundle's.
struct PeopleMerge {
    /// The second bundle was made later.
    let isSecondNewer: Bool

    func merged(
        _ first: DocumentHead?, _ second: DocumentHead?, _ report: inout MergeReport
    ) -> DocumentHead {
        var head = (isSecondNewer ? second : first) ?? first ?? second ?? DocumentHead()
        head.contacts = contacts(first?.contacts ?? [], second?.contacts ?? [], &report)
        // Whom a keyring knows better is counted once.
        let known = Set(head.contacts.map { Person($0).id })
        head.peers = sources(
            first?.peers ?? [], second?.peers ?? [], part: .contacts, id: Self.peerDigits, known: known, &report)
        head.groups = sources(first?.groups ?? [], second?.groups ?? [], part: .groups, id: Self.groupID, &report)
        return head
    }

    // MARK: Records of a keyring

    private func contacts(
        _ first: [ContactRecord], _ second: [ContactRecord], _ report: inout MergeReport
    ) -> [ContactRecord] {
        var all = first
        var places: [ByteText: [Int]] = [:]
        for (place, record) in first.enumerated() {
            for digits in Self.digits(of: record) { places[digits, default: []].append(place) }
        }
        var fromSecond = 0
        for record in second {
            let digits = Self.digits(of: record)
            let candidates = Set(digits.flatMap { places[$0] ?? [] }).sorted()
            guard let place = candidates.first(where: { Self.isSame(all[$0], record) }) else {
                for some in digits { places[some, default: []].append(all.count) }
                all.append(record)
                fromSecond += 1
                continue
            }
            let merged = merged(all[place], record)
            if merged == all[place], merged == record {
                report[.contacts].same += 1
            } else {
                report[.contacts].updated += 1
            }
            all[place] = merged
            for some in digits where places[some]?.contains(place) != true { places[some, default: []].append(place) }
        }
        report[.contacts].fromSecond += fromSecond
        report[.contacts].fromFirst += max(0, first.count - (second.count - fromSecond))
        return all
    }

    /// The first 16 digits of everything that a person may be known by: whoever is the same shares one of them.
    private static func digits(of record: ContactRecord) -> [ByteText] {
        let count = PeerID.Form.hex16.digits ?? 0
        let ids = record.keys.map(\.keys.fingerprint.hexBytes) + (record.cardPeerID.map { [$0] } ?? [])
        return ids.map { ByteText(Array($0.prefix(count))) }
    }

    private static func isSame(_ first: ContactRecord, _ second: ContactRecord) -> Bool {
        let keys = Set(first.keys.map(\.keys.fingerprint))
        if second.keys.contains(where: { keys.contains($0.keys.fingerprint) }) { return true }
        guard let waiting = first.cardPeerID ?? second.cardPeerID else { return false }
        if first.cardPeerID == second.cardPeerID { return true }
        // One side has the keys that the other waits for.
        return (first.keys + second.keys).contains { PeerID(bytes: waiting).matches($0.keys.fingerprint) }
    }

    private func merged(_ first: ContactRecord, _ second: ContactRecord) -> ContactRecord {
        let (newer, older) = isSecondNewer ? (second, first) : (first, second)
        var record = newer
        record.addedAt = min(first.addedAt, second.addedAt)
        record.onion = newer.onion ?? older.onion
        record.port = newer.onion == nil ? older.port : newer.port
        record.keys = keys(newer, older)
        record.cardPeerID = record.keys.isEmpty ? newer.cardPeerID ?? older.cardPeerID : nil
        record.events = newer.events
        var known = Set(newer.events.map { ByteText($0.text()) })
        for event in older.events where known.insert(ByteText(event.text())).inserted { record.events.append(event) }
        record.events.sort { $0.at < $1.at }
        return record
    }

    private func keys(_ newer: ContactRecord, _ older: ContactRecord) -> [ContactRecord.Key] {
        var keys = newer.keys
        var places: [Fingerprint: Int] = [:]
        for (place, key) in keys.enumerated() { places[key.keys.fingerprint] = place }
        for old in older.keys {
            guard let place = places[old.keys.fingerprint] else {
                var key = old
                // The newer bundle says which key counts.
                if newer.currentKey != nil { key.isCurrent = false }
                keys.append(key)
                continue
            }
            keys[place].firstSeen = min(keys[place].firstSeen, old.firstSeen)
            keys[place].lastSeen = max(keys[place].lastSeen, old.lastSeen)
            keys[place].mark = keys[place].mark ?? old.mark
            for id in old.peerIDs where !keys[place].peerIDs.contains(id) { keys[place].peerIDs.append(id) }
        }
        return keys.filter(\.isCurrent) + keys.filter { !$0.isCurrent }
    }

    // MARK: Objects of an app

    /// Peers or groups by their id; the newer bundle's where both have one.
    private func sources(
        _ first: [[UInt8]], _ second: [[UInt8]], part: BundlePart, id: ([UInt8]) -> ByteText,
        known: Set<ByteText> = [], _ report: inout MergeReport
    ) -> [[UInt8]] {
        var all = first
        var places: [ByteText: Int] = [:]
        for (place, source) in first.enumerated() { places[id(source)] = place }
        let others = Set(second.map(id))
        report[part].fromFirst += places.keys.count { !others.contains($0) && !known.contains($0) }
        for source in second {
            let name = id(source)
            let counted = known.contains(name) ? 0 : 1
            guard let place = places[name] else {
                places[name] = all.count
                all.append(source)
                report[part].fromSecond += counted
                continue
            }
            if all[place] == source {
                report[part].same += counted
            } else {
                report[part].updated += counted
                if isSecondNewer { all[place] = source }
            }
        }
        return all
    }

    private static func peerDigits(_ source: [UInt8]) -> ByteText {
        var ignored = FindingList()
        guard let peer = KnownPeer.read(source, path: "peer", findings: &ignored) else { return ByteText(source) }
        let id = peer.publicKeys?.fingerprint.hexBytes ?? peer.id.bytes
        return ByteText(Array(id.prefix(PeerID.Form.hex16.digits ?? id.count)))
    }

    private static func groupID(_ source: [UInt8]) -> ByteText {
        guard let buffer = try? PlaintextBuffer(copying: source),
            let members = try? JSONMembers(object: buffer, 0..<buffer.count), let id = members.last("id"),
            id.kind == .string
        else { return ByteText(source) }
        return ByteText(buffer.bytes(in: id.value))
    }
}
