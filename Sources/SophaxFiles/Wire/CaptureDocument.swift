import JSONCoding
import SophaxCore

/// A file that is one JSON text: a message or a queue.
struct CaptureDocument {
    let kind: CaptureReader.Kind
    let items: [CapturedItem]

    /// Reads the text; nil when it is no JSON as a whole and seems to be several, a line each.
    static func read(_ text: [UInt8]) throws(CaptureError) -> CaptureDocument? {
        guard let first = text.first(where: { !CaptureReader.isBlank($0) }) else { throw .empty }
        if first == UInt8(ascii: "[") {
            return try list(text)
        }
        let object: JSONObject
        do throws(FormatError) {
            object = try JSONObject(text, ceiling: WireLimits.queueBytes)
        } catch {
            if case .notJSON = error, seemsLines(text) { return nil }
            throw .format(error)
        }
        if isQueue(text, object) { return try queue(text) }
        let content = message(object)
        if case .unreadable(.foreign(let foreign)) = content { throw .foreign(foreign) }
        return CaptureDocument(
            kind: .message, items: [CapturedItem(place: .whole, content: content, size: text.count)])
    }

    private static func list(_ text: [UInt8]) throws(CaptureError) -> CaptureDocument {
        let held: HeldMessages
        do throws(FormatError) { held = try HeldMessages(json: text) } catch { throw .format(error) }
        let allUnreadable = held.items.allSatisfy { (try? $0.get()) == nil }
        // One good message proves the kind; of bad ones the first key that every one has.
        guard held.items.isEmpty || !allUnreadable || mentions("sealed", text) else {
            throw .foreign(mentions("kind", text) ? .conet : .otherJSON)
        }
        let items = held.items.enumerated().map { index, item -> CapturedItem in
            switch item {
            case .success(let payload):
                CapturedItem(
                    place: .held(index + 1), content: .held(payload), size: payload.json.count,
                    queueID: payload.messageID)
            case .failure(let error):
                CapturedItem(place: .held(index + 1), content: .unreadable(.format(error)), size: nil)
            }
        }
        return CaptureDocument(kind: items.isEmpty ? .emptyQueue : .heldMessages, items: items)
    }

    private static func queue(_ text: [UInt8]) throws(CaptureError) -> CaptureDocument {
        let queue: PendingQueue
        do throws(FormatError) { queue = try PendingQueue(json: text) } catch { throw .format(error) }
        var items = queue.entries.map { entry -> CapturedItem in
            let place = CapturedItem.Place.waiting(for: entry.recipient, entry.place + 1)
            return switch entry.item {
            case .success(let item):
                CapturedItem(
                    place: place, content: .message(item.wire), size: item.wire.json.count, queueID: item.messageID)
            case .failure(let error): CapturedItem(place: place, content: .unreadable(.format(error)), size: nil)
            }
        }
        items += queue.damagedLists.map { list in
            CapturedItem(place: .waitingList(for: list.recipient), content: .unreadable(.format(list.error)), size: nil)
        }
        return CaptureDocument(kind: items.isEmpty ? .emptyQueue : .pendingQueue, items: items)
    }

    /// An object of lists only, as no message is, or with one that has a message in it; an app without unsent messages may
    /// write an empty one.
    private static func isQueue(_ text: [UInt8], _ object: JSONObject) -> Bool {
        guard let kinds = PendingQueue.kinds(of: text) else {
            // One for more people than a queue may have is still one; the reader of queues says what is wrong with it.
            let members = (try? object.entries(limit: .max)) ?? []
            return members.count > WireLimits.queuePeers && members.allSatisfy { $0.kind == .array }
        }
        return kinds.allSatisfy { $0 == .array } || kinds.contains(.array) && mentions("wire", text)
    }

    private static func mentions(_ key: StaticString, _ text: [UInt8]) -> Bool {
        let name = [UInt8(ascii: "\"")] + key.bytes + [UInt8(ascii: "\"")]
        return text.indices.contains { text[$0...].starts(with: name) }
    }

    // MARK: - One message

    /// The message that a line or frame is.
    static func message(_ text: [UInt8]) -> CapturedItem.Content {
        do throws(FormatError) {
            return message(try JSONObject(text, ceiling: WireLimits.messageBytes))
        } catch {
            return .unreadable(.format(error))
        }
    }

    private static func message(_ object: JSONObject) -> CapturedItem.Content {
        if let foreign = foreign(object) { return .unreadable(.foreign(foreign)) }
        do throws(FormatError) {
            return .message(try WireMessage(object))
        } catch {
            return .unreadable(.format(error))
        }
    }

    /// What an object is that is no message of this protocol; nil where it is one, or means to be one.
    private static func foreign(_ object: JSONObject) -> ForeignFile? {
        // The types of btmessage are numbers, and nothing is signed.
        if object.has("payload"), object.kind(of: "type") == .number, !object.has("signature") { return .btmessage }
        if object.has("type") && object.has("payload") || object.has("signature") { return nil }
        if object.has("aesCiphertext") { return .btmessage }
        if object.has("signedPreKeyPublic") || object.has("signingKeyPublic") { return .preKeyBundle }
        if object.has("encryptedPayload") { return .sealedMessage }
        if object.has("identity.signing") || object.has("storage.master") { return .keychain }
        if object.has("frames"), object.has("streamKey") { return .conet }
        let payloads: [StaticString] = [
            "bundle", "senderBundle", "ratchetMessage", "messageID", "messageIDs", "groupID", "sealed", "targetPeerID",
        ]
        if payloads.contains(where: object.has) { return .payload }
        return object.has("type") || object.has("payload") || object.has("senderID") ? nil : .otherJSON
    }

    // MARK: - Lines

    /// Whether the first line that is not blank is an object by itself, and another begins behind it.
    static func areLines(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let start = bytes.firstIndex(where: { !CaptureReader.isBlank($0) }), bytes[start] == UInt8(ascii: "{"),
            let end = bytes[start...].firstIndex(of: 0x0A),
            let next = bytes[end...].first(where: { !CaptureReader.isBlank($0) }), next == UInt8(ascii: "{")
        else { return false }
        return (try? JSONObject(Array(bytes[start..<end]), ceiling: WireLimits.messageBytes)) != nil
    }

    /// Whether two lines begin with a brace: lines of which the first is damaged.
    private static func seemsLines(_ text: [UInt8]) -> Bool {
        var found = 0
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: true) where found < 2 {
            if line.first == UInt8(ascii: "{"), line.count > 2 { found += 1 }
        }
        return found == 2
    }
}
