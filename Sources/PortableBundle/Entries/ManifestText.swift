import CryptoPrimitives
import JSONCoding
import SophaxFiles

extension Manifest {
    /// The text of `manifest.json`.
    package func text() -> [UInt8] {
        var object = ObjectText()
        object.text("format", Self.format)
        object.number("version", Self.newestVersion)
        object.number("createdAt", createdAt)
        object.text("creator", creator)
        if owner != Owner() {
            var inner = ObjectText()
            inner.anyText("name", or: "nameBase64", owner.name?.bytes)
            inner.text("fingerprint", owner.fingerprint)
            object.raw("owner", inner.finished())
        }
        object.list("entries", entries.map(Self.text(of:)))
        object.list(
            "notIncluded",
            notIncluded.map { omission in
                var object = ObjectText()
                object.text("part", omission.part.rawValue)
                object.text("reason", omission.reason.text)
                object.anyText("item", or: "itemBase64", omission.item?.bytes)
                return object.finished()
            })
        return object.finished()
    }

    private static func text(of entry: ManifestEntry) -> [UInt8] {
        var object = ObjectText()
        object.text("name", entry.name)
        object.number("size", entry.size)
        object.text("sha256", entry.sha256.map { Hex.encode($0.span) })
        switch entry.content {
        case .document, .other: break
        case .conversation(let id, let platform, let messages):
            object.anyText("conversation", or: "conversationBase64", id.text.bytes)
            object.text("platform", platform.name)
            object.number("messages", messages)
        case .blob(let id): object.anyText("blob", or: "blobBase64", id.bytes)
        case .attachment(let id): object.anyText("attachment", or: "attachmentBase64", id.bytes)
        }
        return object.finished()
    }

    /// Reads `manifest.json`, strictly.
    package init(_ text: [UInt8]) throws(DocumentError) {
        let name = Self.entryName
        guard text.count <= Self.ceiling else {
            throw .tooLarge(document: name, found: text.count, ceiling: Self.ceiling)
        }
        let buffer: PlaintextBuffer
        do throws(OutOfMemory) { buffer = try PlaintextBuffer(copying: text) } catch { throw .outOfMemory }
        let object = try StrictObject(document: buffer, name, format: "sxkey-bundle", newest: Self.newestVersion)
        createdAt = try object.required("createdAt", object.number("createdAt"))
        creator = try object.required("creator", object.string("creator"))
        owner = Owner()
        if let inner = try object.object("owner") {
            owner.name = try inner.anyText("name", or: "nameBase64").map { ByteText($0) }
            owner.fingerprint = try inner.string("fingerprint")
            if let text = owner.fingerprint, !Self.isHex(text, count: 64) { throw inner.wrong("fingerprint") }
        }
        entries = []
        var names: Set<[UInt8]> = [Array(name.utf8)]
        for element in try object.objects("entries", ceiling: Self.maximumEntries) {
            let entry = try ManifestEntry(element)
            let folded = Array(entry.name.utf8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            guard names.insert(folded).inserted else { throw .repeatedEntry(entry.name) }
            entries.append(entry)
        }
        notIncluded = []
        for element in try object.objects("notIncluded", ceiling: Self.maximumEntries) {
            // A part of a later version says nothing here.
            guard let part = BundlePart(rawValue: try element.required("part", element.string("part"))) else {
                continue
            }
            let reason = try element.required("reason", element.string("reason"))
            let item = try element.anyText("item", or: "itemBase64").map { ByteText($0) }
            notIncluded.append(Omission(part, Omission.Reason(reason), item: item))
        }
    }

    static func isHex(_ text: String, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension ManifestEntry {
    /// Reads an element of `entries`.
    init(_ object: StrictObject) throws(DocumentError) {
        let name = try object.required("name", object.text("name"))
        guard Self.isSafe(name) else { throw .badEntryName(name) }
        self.name = String(decoding: name, as: UTF8.self)
        size = try object.required("size", object.integer("size"))
        if let text = try object.string("sha256") {
            guard Manifest.isHex(text, count: 64), let bytes = Hex.decode(Array(text.utf8).span) else {
                throw object.wrong("sha256")
            }
            sha256 = bytes
        } else {
            sha256 = nil
        }
        content = try Self.content(self.name, object)
        let ceiling = content.sizeCeiling
        guard size <= ceiling else { throw .tooLarge(document: self.name, found: size, ceiling: ceiling) }
        // A line has a byte and its end at least; so no sum of counts is beyond what an integer holds.
        if case .conversation(_, _, let messages) = content, messages > size / 2 { throw object.wrong("messages") }
    }

    private static func content(_ name: String, _ object: StrictObject) throws(DocumentError) -> Content {
        for part in BundlePart.allCases {
            if let document = part.documentName {
                if document == name { return .document(part) }
                continue
            }
            guard let form = part.nameForm, name.hasPrefix(form.prefix), name.hasSuffix(form.suffix) else { continue }
            switch part {
            case .conversations:
                let id = try object.required(
                    "conversation", object.anyText("conversation", or: "conversationBase64"))
                guard let platform = MessagePlatform(name: try object.required("platform", object.string("platform")))
                else { throw object.wrong("platform") }
                let messages = try object.required("messages", object.integer("messages"))
                return .conversation(ConversationID(ByteText(id)), platform, messages: messages)
            case .blobs:
                return .blob(ByteText(try object.required("blob", object.anyText("blob", or: "blobBase64"))))
            case .attachments:
                let id = try object.required("attachment", object.anyText("attachment", or: "attachmentBase64"))
                return .attachment(ByteText(id))
            case .identity, .preKeys, .contacts, .groups, .sessions: continue
            }
        }
        return .other
    }

    /// Parts of a name at most: each may become a folder, and a table of names keeps each.
    private static let deepest = 8

    /// Relative, not deep, no empty, `.` or `..` part, only bytes that names of entries are made of.
    private static func isSafe(_ name: [UInt8]) -> Bool {
        guard !name.isEmpty, name.count <= 240 else { return false }
        let isPlain = name.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "~"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return isPlain && parts.count <= deepest && parts.allSatisfy { !$0.isEmpty && $0.first != UInt8(ascii: ".") }
    }
}
