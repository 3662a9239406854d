import SophaxFiles

/// What two bundles differ in, as far as both can hold it.
package struct BundleDifference: Sendable {
    /// What happened to something on the way from the first to the second.
    package enum Change: String, Hashable, Sendable {
        /// Only the second has it.
        case added
        /// Only the first has it.
        case removed
        /// Both have it, with another content.
        case changed
    }

    /// Something that differs.
    package struct Item: Hashable, Sendable {
        package let change: Change
        /// Its name: an account, a person's id, a message's, an attachment's. Text from elsewhere.
        package let name: ByteText
        /// More about it, in our own words.
        package var detail: String?
        /// Of messages: their conversation.
        package var conversation: ConversationID?

        init(_ change: Change, _ name: ByteText, detail: String? = nil, conversation: ConversationID? = nil) {
            self.change = change
            self.name = name
            self.detail = detail
            self.conversation = conversation
        }
    }

    /// The comparison of one part.
    package struct Section: Sendable {
        package let part: BundlePart
        package fileprivate(set) var same = 0
        package fileprivate(set) var counts: [Change: Int] = [:]
        /// The first ones of each change, in order.
        package fileprivate(set) var items: [Item] = []
        /// How many of each change are in `items`.
        fileprivate var kept: [Change: Int] = [:]

        fileprivate init(_ part: BundlePart) {
            self.part = part
        }

        package func count(_ change: Change) -> Int { counts[change] ?? 0 }
        package var differs: Bool { counts.values.contains { $0 > 0 } }
    }

    /// A part that was not compared.
    package struct Gap: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// The kind of file has no room for it.
            case noRoom
            /// It was left out when the bundle was made.
            case leftOut
        }

        package let part: BundlePart
        /// Which side lacks it: the first, or the second.
        package let isFirst: Bool
        package let reason: Reason
    }

    /// In the order of parts; only those that were compared.
    package private(set) var sections: [Section] = []
    package private(set) var gaps: [Gap] = []
    /// The identities are two, so that their keys were not compared one by one.
    package private(set) var hasOtherIdentity = false
    /// Lines of either side that are no message, and were not compared.
    package let unreadable: Int
    /// Names kept of each kind of change and part.
    private let limit: Int

    package var differs: Bool { sections.contains(where: \.differs) }

    /// Compares two bundles that were read with the same form of messages.
    package init(
        _ first: BundleIndex, _ second: BundleIndex, limit: Int
    ) throws(EntryError) {
        self.limit = limit
        unreadable = first.unreadable + second.unreadable
        for part in BundlePart.allCases {
            let lacks = [(first, true), (second, false)].compactMap { index, isFirst in
                index.gap(part).map { Gap(part: part, isFirst: isFirst, reason: $0) }
            }
            // What both lack is no news.
            if lacks.count == 1, let gap = lacks.first, (gap.isFirst ? second : first).has(part) { gaps.append(gap) }
            guard lacks.isEmpty else { continue }
            var section = Section(part)
            do throws(DocumentError) {
                try compare(part, first, second, &section)
            } catch {
                throw .document(error)
            }
            if section.same > 0 || section.differs { sections.append(section) }
        }
    }

    private mutating func compare(
        _ part: BundlePart, _ first: BundleIndex, _ second: BundleIndex, _ section: inout Section
    ) throws(DocumentError) {
        switch part {
        case .identity: try compareIdentities(first, second, &section)
        case .preKeys, .sessions: try compareItems(part, first, second, only: nil, &section)
        case .groups:
            try compareItems(part, first, second, only: nil, &section)
            compareSets(
                first.documents[part]?.head.groups ?? [], second.documents[part]?.head.groups ?? [], "a group", &section
            )
        case .contacts:
            if !first.shape.holdsPeersOnly, !second.shape.holdsPeersOnly {
                try compareItems(part, first, second, only: nil, &section)
            }
            comparePeople(first, second, &section)
        case .conversations: compareConversations(first, second, &section)
        case .blobs: compareWhole(first.blobs, second.blobs, &section)
        case .attachments: compareWhole(first.attachments, second.attachments, &section)
        }
    }

    /// Names it, as long as few are named.
    private func keep(_ item: Item, in section: inout Section) {
        guard section.kept[item.change] ?? 0 < limit else { return }
        section.kept[item.change, default: 0] += 1
        section.items.append(item)
    }

    private func add(_ item: Item, number: Int = 1, to section: inout Section) {
        section.counts[item.change, default: 0] += number
        keep(item, in: &section)
    }

    // MARK: Documents

    private mutating func compareIdentities(
        _ first: BundleIndex, _ second: BundleIndex, _ section: inout Section
    ) throws(DocumentError) {
        let (mine, theirs) = (first.identityFingerprint, second.identityFingerprint)
        if let mine, let theirs, mine != theirs {
            hasOtherIdentity = true
            add(Item(.changed, "identity", detail: "\(mine) there, \(theirs) here"), to: &section)
            return
        }
        let rooms = [first.shape.identityAccounts, second.shape.identityAccounts].compactMap(\.self)
        try compareItems(.identity, first, second, only: rooms.first, &section)
    }

    /// Compares private items by account; values in constant time, and nothing of them is said.
    private func compareItems(
        _ part: BundlePart, _ first: BundleIndex, _ second: BundleIndex, only room: Set<ByteText>?,
        _ section: inout Section
    ) throws(DocumentError) {
        let (mine, theirs) = (try Items(first.documents[part], room), try Items(second.documents[part], room))
        for account in Set(mine.places.keys).union(theirs.places.keys).sorted() {
            switch (mine.places[account], theirs.places[account]) {
            case (let left?, let right?):
                if try mine.isSame(left, theirs, right) {
                    section.same += 1
                } else {
                    add(Item(.changed, account), to: &section)
                }
            case (nil, _?): add(Item(.added, account), to: &section)
            case (_?, nil): add(Item(.removed, account), to: &section)
            case (nil, nil): break
            }
        }
    }

    /// Where the items of a document are.
    private struct Items {
        let document: ItemsDocument?
        var places: [ByteText: Int] = [:]

        init(_ document: ItemsDocument?, _ room: Set<ByteText>?) throws(DocumentError) {
            self.document = document
            for (place, item) in (try document?.listing() ?? []).enumerated() {
                let account = ByteText(item.account)
                if room?.contains(account) ?? true { places[account] = place }
            }
        }

        func isSame(_ place: Int, _ other: Items, _ otherPlace: Int) throws(DocumentError) -> Bool {
            guard let document, let others = other.document else { return false }
            let value = try document.value(at: place)
            return value.isEqual(to: try others.value(at: otherPlace))
        }
    }

    private func compareSets(_ first: [[UInt8]], _ second: [[UInt8]], _ what: String, _ section: inout Section) {
        let (mine, theirs) = (Set(first.map(canonical)), Set(second.map(canonical)))
        section.same += mine.intersection(theirs).count
        for _ in mine.subtracting(theirs) { add(Item(.removed, ByteText(what)), to: &section) }
        for _ in theirs.subtracting(mine) { add(Item(.added, ByteText(what)), to: &section) }
    }

    private func canonical(_ object: [UInt8]) -> ByteText { ByteText(CanonicalMessage(source: object).bytes) }

    private func comparePeople(_ first: BundleIndex, _ second: BundleIndex, _ section: inout Section) {
        let peersOnly = first.shape.holdsPeersOnly || second.shape.holdsPeersOnly
        let (mine, theirs) = (first.people, second.people)
        for id in Set(mine.keys).union(theirs.keys).sorted() {
            switch (mine[id], theirs[id]) {
            case (let left?, let right?):
                if let detail = left.difference(to: right, peersOnly: peersOnly) {
                    add(Item(.changed, left.title, detail: detail), to: &section)
                } else {
                    section.same += 1
                }
            case (nil, let right?): add(Item(.added, right.title), to: &section)
            case (let left?, nil): add(Item(.removed, left.title), to: &section)
            case (nil, nil): break
            }
        }
    }

    // MARK: Messages and files

    private func compareConversations(_ first: BundleIndex, _ second: BundleIndex, _ section: inout Section) {
        let ids = Set(first.conversations.keys).union(second.conversations.keys).sorted()
        for id in ids {
            let (mine, theirs) = (first.conversations[id], second.conversations[id])
            let found = (mine ?? MessageIndex()).difference(to: theirs ?? MessageIndex(), limit: limit)
            section.same += found.same
            for (change, changes) in [
                (Change.removed, found.removed), (.added, found.added), (.changed, found.changed),
            ] {
                add(changes, as: change, in: id, to: &section)
            }
        }
    }

    private func add(
        _ changes: MessageIndex.Changes, as change: Change, in id: ConversationID, to section: inout Section
    ) {
        for message in changes.examples { keep(Item(change, message, conversation: id), in: &section) }
        section.counts[change, default: 0] += changes.count
    }

    private func compareWhole(
        _ first: [ByteText: BundleIndex.Blob], _ second: [ByteText: BundleIndex.Blob], _ section: inout Section
    ) {
        for id in Set(first.keys).union(second.keys).sorted() {
            switch (first[id], second[id]) {
            case (let mine?, let theirs?):
                if mine == theirs {
                    section.same += 1
                } else {
                    let detail = "\(mine.size) bytes there, \(theirs.size) here"
                    add(Item(.changed, id, detail: mine.size == theirs.size ? "other bytes" : detail), to: &section)
                }
            case (nil, _?): add(Item(.added, id), to: &section)
            case (_?, nil): add(Item(.removed, id), to: &section)
            case (nil, nil): break
            }
        }
    }
}

extension BundleIndex {
    /// Why this side has nothing to compare in a part; nil when it can be compared, be it empty.
    fileprivate func gap(_ part: BundlePart) -> BundleDifference.Gap.Reason? {
        guard shape.holds(part) else { return .noRoom }
        // An app's export says nothing of what it leaves empty.
        if case .app = shape { return nil }
        let whole = manifest.notIncluded.first { $0.part == part && $0.item == nil }
        switch whole?.reason {
        case .notInSource: return .noRoom
        case .notAsked: return .leftOut
        case .some(Manifest.Omission.Reason.none), .unreadable, .other, nil: return nil
        }
    }

    fileprivate func has(_ part: BundlePart) -> Bool { manifest.parts.contains(part) }

    fileprivate var identityFingerprint: String? {
        documents[.identity]?.head.fingerprint ?? (documents[.identity] == nil ? nil : manifest.owner.fingerprint)
    }
}
