import JSONCoding
import SophaxCore
import SophaxFiles

/// A person of `contacts.json`, with everything that a keyring knows of him. Times are Unix seconds.
package struct ContactRecord: Equatable, Sendable {
    /// UTF-8.
    package var name: [UInt8]
    package var isBlocked: Bool
    package var addedAt: Double
    package var onion: String?
    package var port: UInt16?
    /// The id of a card whose keys are not known yet.
    package var cardPeerID: [UInt8]?
    /// The current one first.
    package var keys: [Key]
    /// What happened, the first first.
    package var events: [Event]

    package init(
        name: [UInt8], isBlocked: Bool, addedAt: Double, onion: String? = nil, port: UInt16? = nil,
        cardPeerID: [UInt8]? = nil, keys: [Key], events: [Event]
    ) {
        self.name = name
        self.isBlocked = isBlocked
        self.addedAt = addedAt
        self.onion = onion
        self.port = port
        self.cardPeerID = cardPeerID
        self.keys = keys
        self.events = events
    }

    /// A pair of identity keys.
    package struct Key: Equatable, Sendable {
        package var keys: IdentityPublicKeys
        package var firstSeen: Double
        package var lastSeen: Double
        package var isCurrent: Bool
        package var replacedAt: Double?
        package var origin: String
        package var peerIDs: [[UInt8]]
        package var mark: Mark?

        package init(
            keys: IdentityPublicKeys, firstSeen: Double, lastSeen: Double, isCurrent: Bool, replacedAt: Double?,
            origin: String, peerIDs: [[UInt8]], mark: Mark?
        ) {
            self.keys = keys
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
            self.isCurrent = isCurrent
            self.replacedAt = replacedAt
            self.origin = origin
            self.peerIDs = peerIDs
            self.mark = mark
        }
    }

    /// That the safety number was compared.
    package struct Mark: Equatable, Sendable {
        package var form: String
        package var number: String
        package var markedAt: Double
        /// 32 bytes.
        package var byIdentity: [UInt8]?

        package init(form: String, number: String, markedAt: Double, byIdentity: [UInt8]?) {
            self.form = form
            self.number = number
            self.markedAt = markedAt
            self.byIdentity = byIdentity
        }
    }

    /// Something that happened.
    package struct Event: Equatable, Sendable {
        package var at: Double
        package var what: String
        package var from: [UInt8]?
        package var to: [UInt8]?
        package var form: [UInt8]?
        package var number: [UInt8]?
        package var origin: [UInt8]?

        package init(
            at: Double, what: String, from: [UInt8]?, to: [UInt8]?, form: [UInt8]?, number: [UInt8]?, origin: [UInt8]?
        ) {
            self.at = at
            self.what = what
            self.from = from
            self.to = to
            self.form = form
            self.number = number
            self.origin = origin
        }
    }

    /// The key that counts.
    package var currentKey: Key? { keys.first { $0.isCurrent } }

    /// What an unknown sender of a bundle may say of a person: name, address and the current key, and nothing that lends
    /// it trust, as a key does that was known for years. `time`: when it came here, Unix seconds.
    package func withoutTrust(at time: Double) -> ContactRecord {
        var record = self
        record.addedAt = time
        record.keys =
            currentKey.map { key in
                var key = key
                key.mark = nil
                (key.firstSeen, key.lastSeen, key.replacedAt) = (time, time, nil)
                return [key]
            } ?? []
        record.events = []
        return record
    }

    /// There is more to a person than an unknown sender may say.
    package var hasTrust: Bool { keys.count > 1 || keys.contains { $0.mark != nil } || !events.isEmpty }

    static let maximumPeerIDs = 1_000
    private static let maximumKeys = 10_000
    private static let maximumEvents = 100_000
}

// MARK: - Text

extension ContactRecord {
    func text() -> [UInt8] {
        var object = ObjectText()
        object.text("name", name)
        object.flag("blocked", isBlocked ? true : nil)
        object.number("addedAt", addedAt)
        object.text("onion", onion)
        object.number("port", port.map { Int($0) })
        object.text("cardPeerID", cardPeerID)
        object.list("keys", keys.map { $0.text() })
        object.list("events", events.map { $0.text() })
        return object.finished()
    }

    init(_ object: StrictObject) throws(DocumentError) {
        name = try object.required("name", object.text("name"))
        isBlocked = try object.flag("blocked") ?? false
        addedAt = try object.required("addedAt", object.number("addedAt"))
        onion = try object.string("onion")
        if let number = try object.integer("port") {
            guard let exact = UInt16(exactly: number), exact > 0 else { throw object.wrong("port") }
            port = exact
        }
        cardPeerID = try object.text("cardPeerID")
        keys = []
        for element in try object.objects("keys", ceiling: Self.maximumKeys) { keys.append(try Key(element)) }
        guard keys.count(where: \.isCurrent) <= 1 else { throw object.wrong("keys") }
        events = []
        for element in try object.objects("events", ceiling: Self.maximumEvents) {
            events.append(try Event(element))
        }
    }
}

extension ContactRecord.Key {
    func text() -> [UInt8] {
        var object = ObjectText()
        object.base64("signing", keys.signing)
        object.base64("dh", keys.dh)
        object.number("firstSeen", firstSeen)
        object.number("lastSeen", lastSeen)
        object.flag("current", isCurrent)
        object.number("replacedAt", replacedAt)
        object.text("origin", origin)
        object.list(
            "peerIDs",
            peerIDs.map { id in
                var text: [UInt8] = []
                JSONText.appendQuoted(id, to: &text)
                return text
            })
        if let mark {
            var inner = ObjectText()
            inner.text("form", mark.form)
            inner.text("number", mark.number)
            inner.number("markedAt", mark.markedAt)
            inner.base64("byIdentity", mark.byIdentity)
            object.raw("mark", inner.finished())
        }
        return object.finished()
    }

    init(_ object: StrictObject) throws(DocumentError) {
        let signing = try object.required("signing", object.base64("signing", length: IdentityPublicKeys.keyLength))
        let dh = try object.required("dh", object.base64("dh", length: IdentityPublicKeys.keyLength))
        do throws(IdentityError) {
            keys = try IdentityPublicKeys(signing: signing, dh: dh)
        } catch {
            throw object.wrong("signing")
        }
        firstSeen = try object.required("firstSeen", object.number("firstSeen"))
        lastSeen = try object.required("lastSeen", object.number("lastSeen"))
        isCurrent = try object.required("current", object.flag("current"))
        replacedAt = try object.number("replacedAt")
        origin = try object.required("origin", object.string("origin"))
        peerIDs = try object.texts("peerIDs", ceiling: ContactRecord.maximumPeerIDs)
        if let inner = try object.object("mark") {
            mark = .init(
                form: try inner.required("form", inner.string("form")),
                number: try inner.required("number", inner.string("number")),
                markedAt: try inner.required("markedAt", inner.number("markedAt")),
                byIdentity: try inner.base64("byIdentity", length: Fingerprint.length))
        }
    }
}

extension ContactRecord.Event {
    func text() -> [UInt8] {
        var object = ObjectText()
        object.number("at", at)
        object.text("what", what)
        object.text("from", from)
        object.text("to", to)
        object.text("form", form)
        object.text("number", number)
        object.text("origin", origin)
        return object.finished()
    }

    init(_ object: StrictObject) throws(DocumentError) {
        at = try object.required("at", object.number("at"))
        what = try object.required("what", object.string("what"))
        from = try object.text("from")
        to = try object.text("to")
        form = try object.text("form")
        number = try object.text("number")
        origin = try object.text("origin")
    }
}
