import CryptoPrimitives
import SophaxFiles

/// Merges two documents of private items: by account, nothing lost.
///
/// Where both have an account with different values, the one that was changed later counts, else the newer bundle's. The other
/// one stays beside it as `ACCOUNT.merged`, unless the account only says which of several things is the current one.
struct ItemMerge {
    let part: BundlePart
    let first: ItemsDocument?
    let second: ItemsDocument?
    /// The second bundle was made later.
    let isSecondNewer: Bool

    /// Accounts that say what is current: the newer value makes the older one pointless. Format: SophaxChat 5.1.
    private static let pointers: Set<ByteText> = [
        "user.username", "spk.current_id", "spk.created_at", "pqspk.current_id",
    ]

    /// The merged document; nil when neither side has one.
    func merged(head: DocumentHead, _ report: inout MergeReport) throws(EntryError) -> SecretText? {
        guard first != nil || second != nil else { return nil }
        var writer = try ItemsWriter(part, head: head)
        do throws(DocumentError) {
            try add(to: &writer, &report)
        } catch {
            throw .document(error)
        }
        return try writer.finished()
    }

    private struct Place {
        let item: BundleItem
        let index: Int
    }

    private static func places(_ document: ItemsDocument?) throws(DocumentError) -> [(ByteText, Place)] {
        var places: [(ByteText, Place)] = []
        for (index, item) in (try document?.listing() ?? []).enumerated() {
            places.append((ByteText(item.account), Place(item: item, index: index)))
        }
        return places
    }

    private func add(to writer: inout ItemsWriter, _ report: inout MergeReport) throws(DocumentError) {
        let (mine, theirs) = (try Self.places(first), try Self.places(second))
        let theirPlaces = Dictionary(theirs) { $1 }
        let mineAccounts = Set(mine.map(\.0))
        var taken = mineAccounts.union(theirs.map(\.0))
        for (account, place) in mine {
            guard let other = theirPlaces[account] else {
                report[part].fromFirst += 1
                try write(place, of: first, to: &writer)
                continue
            }
            guard let value = try first?.value(at: place.index), let otherValue = try second?.value(at: other.index)
            else { continue }
            if value.isEqual(to: otherValue) {
                report[part].same += 1
                try write(newest(place, other) ? other.item : place.item, value, to: &writer)
                continue
            }
            let takesSecond = newest(place, other)
            let (chosen, loser) = takesSecond ? (other, place) : (place, other)
            try write(chosen, of: takesSecond ? second : first, to: &writer)
            guard !Self.pointers.contains(account) else {
                report[part].updated += 1
                continue
            }
            report[part].conflicting += 1
            let name = Self.free(account, &taken)
            var item = loser.item
            item = BundleItem(
                name.bytes, changedAt: item.changedAt, madeAt: item.madeAt, replacedAt: item.replacedAt,
                publishedAt: item.publishedAt)
            try write(item, takesSecond ? value : otherValue, to: &writer)
            report.note(
                part, account,
                "two values: that of the \(takesSecond ? "second" : "first") counts, the other is kept as \(name.string)"
            )
        }
        for (account, place) in theirs where !mineAccounts.contains(account) {
            report[part].fromSecond += 1
            try write(place, of: second, to: &writer)
        }
    }

    /// Whether the second one counts.
    private func newest(_ first: Place, _ second: Place) -> Bool {
        if let mine = first.item.changedAt, let theirs = second.item.changedAt, mine != theirs { return theirs > mine }
        return isSecondNewer
    }

    private static func free(_ account: ByteText, _ taken: inout Set<ByteText>) -> ByteText {
        var number = 1
        while true {
            let ending = number == 1 ? ".merged" : ".merged-\(number)"
            let name = ByteText(account.bytes + Array(ending.utf8))
            if taken.insert(name).inserted { return name }
            number += 1
        }
    }

    private func write(
        _ place: Place, of document: ItemsDocument?, to writer: inout ItemsWriter
    ) throws(DocumentError) {
        guard let value = try document?.value(at: place.index) else { return }
        try write(place.item, value, to: &writer)
    }

    private func write(
        _ item: BundleItem, _ value: borrowing SecretBytes, to writer: inout ItemsWriter
    ) throws(DocumentError) {
        do throws(EntryError) { try writer.add(item, value) } catch { throw .outOfMemory }
    }
}
