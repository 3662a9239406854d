import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// A private item of an identity, without its value.
package struct BundleItem: Equatable, Sendable {
    /// As the apps name it in their keychain; UTF-8. Format: SophaxChat 5.1.
    package let account: [UInt8]
    /// When the value was last changed, Unix seconds; nil when the source does not say.
    package var changedAt: Double?
    /// Of prekeys: when it was made here, replaced by another, and given out in a bundle, Unix seconds.
    package var madeAt: Double?
    package var replacedAt: Double?
    package var publishedAt: Double?

    package init(
        _ account: [UInt8], changedAt: Double? = nil, madeAt: Double? = nil, replacedAt: Double? = nil,
        publishedAt: Double? = nil
    ) {
        self.account = account
        self.changedAt = changedAt
        self.madeAt = madeAt
        self.replacedAt = replacedAt
        self.publishedAt = publishedAt
    }
}

/// Writes a document of private items into wiped memory: `identity.json`, `prekeys.json`, `groups.json`, `sessions.json`.
package struct ItemsWriter: ~Copyable {
    /// Items of one document at most: an app makes 20 one-time prekeys at each launch and never clears up.
    package static let maximumItems = 200_000

    private var text: SecretText
    private var isEmpty = true
    package private(set) var items = 0

    /// - Parameter head: the members before the items.
    package init(_ part: BundlePart, head: DocumentHead = DocumentHead()) throws(EntryError) {
        var object = ObjectText()
        object.text("format", part.format.bytes)
        object.number("version", BundlePart.documentVersion)
        head.write(to: &object)
        let start = object.openList("items")
        text = try Self.memory { () throws(SecretMemoryError) in
            var text = try SecretText()
            try text.append(start)
            return text
        }
    }

    /// Adds an item; the value goes from one wiped memory into the other.
    package mutating func add(_ item: BundleItem, _ value: borrowing SecretBytes) throws(EntryError) {
        var object = ObjectText()
        object.text("account", item.account)
        object.number("changedAt", item.changedAt)
        object.number("madeAt", item.madeAt)
        object.number("replacedAt", item.replacedAt)
        object.number("publishedAt", item.publishedAt)
        var head = isEmpty ? [] : [UInt8(ascii: ",")]
        head += object.bytes + Array(#","value":"#.utf8)
        do throws(SecretMemoryError) {
            try text.append(head)
            try text.appendBase64(value)
            try text.append([UInt8(ascii: "}")])
        } catch {
            throw .memory(error)
        }
        isEmpty = false
        items += 1
    }

    package consuming func finished() throws(EntryError) -> SecretText {
        do throws(SecretMemoryError) {
            try text.append(Array("]}".utf8))
        } catch {
            throw .memory(error)
        }
        return text
    }

    private static func memory(
        _ make: () throws(SecretMemoryError) -> SecretText
    ) throws(EntryError) -> SecretText {
        do throws(SecretMemoryError) { return try make() } catch { throw .memory(error) }
    }
}

/// The members of a document before its items.
package struct DocumentHead: Equatable, Sendable {
    /// Of `identity.json`: lower-case hex digits.
    package var fingerprint: String?
    /// Of `identity.json`: UTF-8, what the keyring calls it.
    package var name: [UInt8]?
    /// Of `identity.json`: where the keyring has it from.
    package var origin: String?
    /// Of `identity.json`: when the keyring got it, Unix seconds.
    package var createdAt: Double?
    /// Of `groups.json`: GroupInfo objects as the app wrote them. Format: SophaxChat 4.5.
    package var groups: [[UInt8]] = []
    /// Of `contacts.json`.
    package var contacts: [ContactRecord] = []
    /// Of `contacts.json`: KnownPeer objects as the app wrote them. Format: SophaxChat 4.2, of Android 3.5.
    package var peers: [[UInt8]] = []

    package init() {}

    func write(to object: inout ObjectText) {
        object.text("fingerprint", fingerprint)
        object.text("name", name)
        object.text("origin", origin)
        object.number("createdAt", createdAt)
        if !groups.isEmpty { object.list("groups", groups.map(ForeignObject.text)) }
        if !contacts.isEmpty { object.list("contacts", contacts.map { $0.text() }) }
        if !peers.isEmpty { object.list("peers", peers.map(ForeignObject.text)) }
    }

    init(_ object: StrictObject) throws(DocumentError) {
        fingerprint = try object.string("fingerprint")
        if let text = fingerprint, !Manifest.isHex(text, count: 64) { throw object.wrong("fingerprint") }
        name = try object.text("name")
        origin = try object.string("origin")
        createdAt = try object.number("createdAt")
        groups = try object.sources("groups", ceiling: Self.maximumPeople)
        contacts = []
        for element in try object.objects("contacts", ceiling: Self.maximumPeople) {
            contacts.append(try ContactRecord(element))
        }
        peers = try object.sources("peers", ceiling: Self.maximumPeople)
    }

    /// Contacts, peers or groups at most.
    package static let maximumPeople = 100_000
}

/// A document of private items that was read: its head, and the items one by one.
package struct ItemsDocument {
    package let part: BundlePart
    package let head: DocumentHead
    private let items: [StrictObject]

    /// Reads a document strictly; `text` is wiped when nobody has it any more.
    package init(_ text: PlaintextBuffer, _ part: BundlePart) throws(DocumentError) {
        self.part = part
        let name = part.documentName ?? part.rawValue
        guard text.count <= BundlePart.documentCeiling else {
            throw .tooLarge(document: name, found: text.count, ceiling: BundlePart.documentCeiling)
        }
        let object = try StrictObject(document: text, name, format: part.format, newest: BundlePart.documentVersion)
        head = try DocumentHead(object)
        items = try object.objects("items", ceiling: ItemsWriter.maximumItems)
        var accounts: Set<[UInt8]> = []
        for item in items {
            let account = try item.required("account", item.text("account"))
            guard accounts.insert(account).inserted else {
                throw .repeatedKey(document: name, key: String(decoding: account, as: UTF8.self))
            }
            // Sessions and what is about people are left out, or not trusted, by their document: none hides in another.
            let own = BundlePart(ofAccount: account)
            guard (own == .sessions) == (part == .sessions), own != .contacts || part == .contacts else {
                throw item.wrong("account")
            }
        }
    }

    package var count: Int { items.count }

    /// The items, without their values.
    package func listing() throws(DocumentError) -> [BundleItem] {
        var list: [BundleItem] = []
        for item in items { list.append(try Self.item(item)) }
        return list
    }

    /// The value of the item at a place.
    package func value(at index: Int) throws(DocumentError) -> SecretBytes {
        try items[index].secret("value")
    }

    /// The value of an item by its account; nil when there is none.
    package func value(of account: String) throws(DocumentError) -> SecretBytes? {
        let name = Array(account.utf8)
        for item in items where try item.text("account") == name { return try item.secret("value") }
        return nil
    }

    private static func item(_ object: StrictObject) throws(DocumentError) -> BundleItem {
        BundleItem(
            try object.required("account", object.text("account")), changedAt: try object.number("changedAt"),
            madeAt: try object.number("madeAt"), replacedAt: try object.number("replacedAt"),
            publishedAt: try object.number("publishedAt"))
    }
}

extension BundlePart {
    /// The newest version of the documents.
    static let documentVersion = 1

    /// What stands as `format` in the document.
    var format: StaticString {
        switch self {
        case .identity: "sxkey-identity"
        case .preKeys: "sxkey-prekeys"
        case .contacts: "sxkey-contacts"
        case .groups: "sxkey-groups"
        case .sessions: "sxkey-sessions"
        case .conversations, .blobs, .attachments: "sxkey-bundle"
        }
    }
}
