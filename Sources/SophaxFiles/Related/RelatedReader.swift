import CryptoPrimitives
import JSONCoding

/// Takes a text apart into items.
struct RelatedReader {
    private(set) var items: [RelatedItem] = []
    /// The app that the user says the file is of.
    let app: RelatedApp?

    init(app: RelatedApp? = nil) {
        self.app = app
    }

    /// What the file is; nil for JSON that is of another app.
    mutating func read(
        _ text: [UInt8], _ shape: RelatedDocument.Shape
    ) throws(RelatedFileError) -> RelatedDocument.Kind? {
        switch shape {
        case .json: return try readJSON(text)
        case .base64: return try readBase64Lines(text)
        case .armor: return try readArmor(text)
        case .link:
            guard let invite = LChatInvite(text) else { return nil }
            items = [RelatedItem(place: .whole, content: .invite(invite), size: text.count)]
            return .invite
        case .binary:
            try add(text, at: .whole)
            if case .threadKey = items[0].content { return .lchat }
            return .boxes
        }
    }

    private mutating func add(_ item: RelatedItem) throws(RelatedFileError) {
        guard items.count < RelatedLimits.items else { throw .tooMany(limit: RelatedLimits.items) }
        items.append(item)
    }

    /// A sealed box or a wrapped key.
    private mutating func add(_ bytes: [UInt8], at place: RelatedItem.Place) throws(RelatedFileError) {
        let content: RelatedItem.Content =
            if let key = LChatThreadKey(bytes), key.hasPoint {
                .threadKey(key)
            } else if bytes.count < RelatedBox.overhead || bytes.count > RelatedLimits.itemBytes {
                .unreadable(.boxLength(found: bytes.count))
            } else {
                .box(bytes)
            }
        try add(RelatedItem(place: place, content: content, size: bytes.count, given: app))
    }

    // MARK: Text

    private mutating func readArmor(_ text: [UInt8]) throws(RelatedFileError) -> RelatedDocument.Kind {
        guard let messages = OpenPGPArmor.messages(in: text, limit: RelatedLimits.openPGPMessages) else {
            throw .tooMany(limit: RelatedLimits.openPGPMessages)
        }
        guard !messages.isEmpty else { throw .format(.field("-----BEGIN PGP MESSAGE-----", .missing)) }
        for (index, message) in messages.enumerated() {
            let place: RelatedItem.Place = messages.count == 1 ? .whole : .element(index + 1)
            try add(RelatedItem(place: place, content: .openPGP(message), size: message.count))
        }
        return .openPGP
    }

    private mutating func readBase64Lines(_ text: [UInt8]) throws(RelatedFileError) -> RelatedDocument.Kind {
        var number = 0
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let trimmed = line.drop { CaptureReader.isBlank($0) }
            let end = trimmed.lastIndex { !CaptureReader.isBlank($0) }
            guard let end else { continue }
            try addBase64(Array(trimmed[...end]), at: .line(number))
        }
        if items.count == 1 {
            items = [RelatedItem(place: .whole, content: items[0].content, size: items[0].size, given: app)]
        }
        return items.contains { if case .threadKey = $0.content { true } else { false } } ? .lchat : .boxes
    }

    private mutating func addBase64(_ text: [UInt8], at place: RelatedItem.Place) throws(RelatedFileError) {
        guard let bytes = Base64.decode(text.span) else {
            try add(RelatedItem(place: place, content: .unreadable(.notBase64), size: text.count))
            return
        }
        try add(bytes, at: place)
    }

    // MARK: JSON

    private mutating func readJSON(_ text: [UInt8]) throws(RelatedFileError) -> RelatedDocument.Kind? {
        if text.first(where: { !CaptureReader.isBlank($0) }) == UInt8(ascii: "[") { return try readArray(text) }
        guard let object = try? JSONObject(text, ceiling: RelatedLimits.fileBytes) else { return try readLines(text) }
        if try holdsFrames(object) { return try readFrames(object) }
        if try holdsThreads(object) { return try readThreads(object) }
        if RelatedObject.isKeys(object) { throw .keys }
        guard RelatedObject.isOne(object) else { return nil }
        try add(RelatedItem(place: .whole, content: RelatedObject.content(of: object), size: text.count))
        return kind
    }

    private var kind: RelatedDocument.Kind {
        let isRecords = items.allSatisfy { if case .record = $0.content { true } else { false } }
        return isRecords ? .records : .btmessage
    }

    /// Objects of btmessage, or boxes in base64. What the first element is decides whether the file is of a related app.
    private mutating func readArray(_ text: [UInt8]) throws(RelatedFileError) -> RelatedDocument.Kind? {
        let buffer: PlaintextBuffer
        let elements: [JSONMember]
        do throws(OutOfMemory) { buffer = try PlaintextBuffer(copying: text) } catch { throw .format(.outOfMemory) }
        do throws(JSONMembers.Failure) {
            elements = try JSONMembers(strictArray: buffer, 0..<buffer.count, limit: RelatedLimits.items).members
        } catch {
            return nil
        }
        guard let first = elements.first else { return nil }
        if first.kind == .string {
            guard elements.contains(where: { isBox($0, in: buffer) }) else { return nil }
            for (index, element) in elements.enumerated() {
                try addString(element, in: buffer, at: .frame(index + 1))
            }
            return .boxes
        }
        guard first.kind == .object, let object = try? JSONObject(buffer, first.value), RelatedObject.isOne(object)
        else { return nil }
        for (index, element) in elements.enumerated() {
            let place = RelatedItem.Place.element(index + 1)
            try add(
                RelatedItem(
                    place: place, content: RelatedObject.content(of: element, in: buffer), size: element.value.count))
        }
        return kind
    }

    private mutating func readLines(_ text: [UInt8]) throws(RelatedFileError) -> RelatedDocument.Kind? {
        var number = 0
        var isFirst = true
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard !line.allSatisfy({ CaptureReader.isBlank($0) }) else { continue }
            let object = try? JSONObject(
                Array(line), ceiling: RelatedLimits.itemBytes, memberLimit: RelatedLimits.members)
            if isFirst {
                guard let object, RelatedObject.isOne(object) else { return nil }
                isFirst = false
            }
            let content =
                object.map { RelatedObject.content(of: $0) }
                ?? .unreadable(
                    line.count > RelatedLimits.itemBytes
                        ? .tooLong(limit: RelatedLimits.itemBytes) : .format(.notJSON(offset: 0)))
            try add(RelatedItem(place: .line(number), content: content, size: line.count))
        }
        return items.isEmpty ? nil : kind
    }

    private mutating func addString(
        _ member: JSONMember, in buffer: PlaintextBuffer, at place: RelatedItem.Place
    ) throws(RelatedFileError) {
        guard member.kind == .string else {
            return try add(RelatedItem(place: place, content: .unreadable(.unknownObject), size: member.value.count))
        }
        let text = buffer.withSpan { JSONText.unescape($0.extracting(member.value)).bytes }
        try addBase64(text, at: place)
    }

    /// `{"frames": [text or {"sealed": text}]}` of CoNET.
    private mutating func readFrames(_ object: JSONObject) throws(RelatedFileError) -> RelatedDocument.Kind {
        for (index, element) in try elements("frames", of: object).enumerated() {
            let place = RelatedItem.Place.frame(index + 1)
            if element.kind == .object {
                guard let frame = try? JSONObject(object.buffer, element.value),
                    let sealed = try? frame.value("sealed", .string)
                else {
                    try add(
                        RelatedItem(place: place, content: .unreadable(.unknownObject), size: element.value.count))
                    continue
                }
                try addString(sealed, in: object.buffer, at: place)
            } else {
                try addString(element, in: object.buffer, at: place)
            }
        }
        return .conet
    }

    /// `{"threads": [{"wrapped": …, "message": …}]}` of lchat: the shape of its test vectors.
    private mutating func readThreads(_ object: JSONObject) throws(RelatedFileError) -> RelatedDocument.Kind {
        for (index, element) in try elements("threads", of: object).enumerated() {
            guard element.kind == .object, let thread = try? JSONObject(object.buffer, element.value) else {
                let place = RelatedItem.Place.thread(index + 1, "")
                try add(RelatedItem(place: place, content: .unreadable(.unknownObject), size: element.value.count))
                continue
            }
            try readThread(thread, index + 1)
        }
        return .lchat
    }

    /// An array of which one element can be a frame, or that is empty in an object with nothing else.
    private func holdsFrames(_ object: JSONObject) throws(RelatedFileError) -> Bool {
        guard object.kind(of: "frames") == .array else { return false }
        return try elements("frames", of: object).contains { element in
            guard element.kind == .object else { return isBox(element, in: object.buffer) }
            guard let frame = try? JSONObject(object.buffer, element.value) else { return false }
            return frame.kind(of: "sealed") == .string
        }
    }

    /// An array of which one element has one of the members of a thread.
    private func holdsThreads(_ object: JSONObject) throws(RelatedFileError) -> Bool {
        guard object.kind(of: "threads") == .array else { return false }
        return try elements("threads", of: object).contains { element in
            guard element.kind == .object, let thread = try? JSONObject(object.buffer, element.value) else {
                return false
            }
            return (["wrapped"] + Self.boxNames).contains { thread.kind(of: $0) == .string }
                || thread.kind(of: "messages") == .array
        }
    }

    /// Whether a string is base64 of a box, or of something larger.
    private func isBox(_ member: JSONMember, in buffer: PlaintextBuffer) -> Bool {
        guard member.kind == .string else { return false }
        let text = buffer.withSpan { JSONText.unescape($0.extracting(member.value)).bytes }
        return (Base64.decode(text.span)?.count ?? 0) >= RelatedBox.overhead
    }

    private func elements(
        _ key: StaticString, of object: JSONObject
    ) throws(RelatedFileError) -> [JSONMember] {
        let list: JSONMember?
        do throws(FormatError) { list = try object.value(key, .array) } catch { throw .format(error) }
        guard let list else { return [] }
        do throws(JSONMembers.Failure) {
            return try JSONMembers(strictArray: object.buffer, list.value, limit: RelatedLimits.items).members
        } catch {
            if case .tooManyMembers(let limit) = error { throw .tooMany(limit: limit) }
            throw .format(FormatError(error))
        }
    }

    /// The names of what a thread may have besides its key, in the order in which it is shown.
    private static let boxNames: [StaticString] = ["title", "name", "preview", "push", "message"]

    private mutating func readThread(_ thread: JSONObject, _ number: Int) throws(RelatedFileError) {
        for name in ["wrapped"] + Self.boxNames where thread.has(name) && thread.kind(of: name) != .string {
            let place = RelatedItem.Place.thread(number, name.description)
            try add(
                RelatedItem(place: place, content: .unreadable(.format(.field(name.description, .wrongType))), size: 0))
        }
        if let wrapped = try? thread.value("wrapped", .string) {
            let place = RelatedItem.Place.thread(number, "wrapped")
            let text = thread.text(wrapped)
            if let key = Base64.decode(text.span).flatMap({ LChatThreadKey($0) }) {
                try add(RelatedItem(place: place, content: .threadKey(key), size: key.bytes.count))
            } else {
                try add(RelatedItem(place: place, content: .unreadable(.notAThreadKey), size: text.count))
            }
        }
        for name in Self.boxNames {
            guard let box = try? thread.value(name, .string) else { continue }
            try addString(box, in: thread.buffer, at: .thread(number, name.description))
        }
        guard thread.has("messages") else { return }
        let place = RelatedItem.Place.thread(number, "messages")
        guard thread.kind(of: "messages") == .array else {
            return try add(
                RelatedItem(place: place, content: .unreadable(.format(.field("messages", .wrongType))), size: 0))
        }
        for element in try elements("messages", of: thread) { try addString(element, in: thread.buffer, at: place) }
    }
}
