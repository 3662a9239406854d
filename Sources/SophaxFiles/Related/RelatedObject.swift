import JSONCoding

/// Tells objects of btmessage by their keys.
enum RelatedObject {
    static func isOne(_ object: JSONObject) -> Bool {
        isEnvelope(object) || BTMessageRecord.isLike(object) || object.has("aesCiphertext")
            || object.has("encryptedGroupKey") || object.kind(of: "encryptedMessage") == .object
    }

    /// The types of btmessage are numbers, and nothing is signed.
    private static func isEnvelope(_ object: JSONObject) -> Bool {
        object.has("payload") && object.kind(of: "type") == .number && !object.has("signature")
    }

    static func isKeys(_ object: JSONObject) -> Bool {
        let names: [StaticString] = [
            "btmessage.identity.xwing", "btmessage.identity.peerID", "btmessage.groupKeys", "btmessage.groups",
            "privateKeyRaw", "streamKey",
        ]
        // A dump of SophaxChat's keychain may have them too, and is called that.
        guard !object.has("identity.signing") else { return false }
        return names.contains { object.has($0) } || object.has("kty") && object.has("crv")
    }

    static func content(of member: JSONMember, in buffer: PlaintextBuffer) -> RelatedItem.Content {
        guard member.kind == .object else { return .unreadable(.unknownObject) }
        guard member.value.count <= RelatedLimits.itemBytes else {
            return .unreadable(.tooLong(limit: RelatedLimits.itemBytes))
        }
        do throws(FormatError) {
            return content(of: try JSONObject(buffer, member.value, memberLimit: RelatedLimits.members))
        } catch {
            return .unreadable(.format(error))
        }
    }

    static func content(of object: JSONObject) -> RelatedItem.Content {
        do throws(FormatError) {
            if isEnvelope(object) { return .envelope(try BTMessageEnvelope(object)) }
            if BTMessageRecord.isLike(object) { return .record(try BTMessageRecord(object)) }
            if let payload = try BTMessagePayload(object) { return .payload(payload) }
            if object.has("aesCiphertext") { return .sealed(try BTMessageSealed(object)) }
            return .unreadable(.unknownObject)
        } catch {
            return .unreadable(.format(error))
        }
    }
}

/// Looks whether a large file is worth reading as a whole.
enum RelatedBeginning {
    /// Whether the first object of the text, or its first keys, are of these apps.
    static func seemsRelated(_ beginning: ArraySlice<UInt8>) -> Bool {
        var text = beginning.drop { CaptureReader.isBlank($0) }
        if text.first == UInt8(ascii: "[") {
            text = text.dropFirst().drop { CaptureReader.isBlank($0) }
            // A list of frames.
            if text.first == UInt8(ascii: "\"") { return true }
        }
        guard let end = endOfObject(text) else { return hasKeys(text) }
        guard let object = try? JSONObject(Array(text[..<end]), ceiling: RelatedLimits.fileBytes) else { return false }
        return RelatedObject.isOne(object)
    }

    /// Where the object that the text begins with ends; nil when that is not there.
    private static func endOfObject(_ text: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for index in text.indices {
            let byte = text[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth <= 0 { return index + 1 }
            default: break
            }
        }
        return nil
    }

    /// One object that is larger than what was read: frames, threads, or one large message.
    private static func hasKeys(_ text: ArraySlice<UInt8>) -> Bool {
        let names: [StaticString] = [
            "\"aesCiphertext\"", "\"conversationID\"", "\"recipientID\"", "\"frames\"", "\"threads\"",
        ]
        let searched = text.prefix(65_536)
        let quotes = searched.indices.filter { searched[$0] == UInt8(ascii: "\"") }
        return names.contains { name in
            let word = name.bytes
            return quotes.contains { searched[$0...].starts(with: word) }
        }
    }
}
