import CryptoPrimitives
import JSONCoding
import SystemIO

/// A file of a related app: what it is, is told by its content.
package struct RelatedDocument: Sendable {
    /// What the file is as a whole. The raw values are the words in JSON.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case btmessage
        case records = "btmessage-records"
        case lchat
        case invite = "lchat-invite"
        case conet
        case openPGP = "openpgp"
        /// Sealed boxes of lchat or CoNET: without a key nothing says which.
        case boxes
    }

    package let kind: Kind
    package let items: [RelatedItem]

    /// Looks at the beginning of a file and reads all of it when it is of a related app; nil for any other, of which what was
    /// read stays ahead in `file`.
    package static func read(
        _ file: inout LookedFile, as given: RelatedFileKind? = nil
    ) throws(RelatedFileError) -> RelatedDocument? {
        if given == .conetHistory { throw .historyFragment }
        let isWhole = file.source.isWhole
        guard let shape = Shape(file.source.ahead, isWhole: isWhole, given) else { return nil }
        // What is large and of SophaxChat is not read as a whole.
        if !isWhole, shape == .json, !RelatedBeginning.seemsRelated(file.source.ahead) { return nil }
        let text: [UInt8]
        do throws(FileError) {
            text = try file.source.readAll(limit: RelatedLimits.fileBytes)
        } catch {
            throw .file(error)
        }
        return try read(text, shape, given)
    }

    /// The same for bytes in memory.
    package static func read(
        _ bytes: [UInt8], as given: RelatedFileKind? = nil
    ) throws(RelatedFileError) -> RelatedDocument? {
        if given == .conetHistory { throw .historyFragment }
        guard bytes.count <= RelatedLimits.fileBytes else {
            throw .format(.tooLarge(found: bytes.count, ceiling: RelatedLimits.fileBytes))
        }
        guard let shape = Shape(bytes[...], isWhole: true, given) else { return nil }
        return try read(bytes, shape, given)
    }

    /// Bytes that `isOpenPGP` looks at.
    package static let beginning = OpenPGPArmor.searched

    /// Whether an armoured OpenPGP message stands in the beginning of a text.
    package static func isOpenPGP(_ beginning: [UInt8]) -> Bool {
        let first = beginning.first { !CaptureReader.isBlank($0) }
        return first != UInt8(ascii: "{") && first != UInt8(ascii: "[") && OpenPGPArmor.begins(beginning[...])
    }

    private static func read(
        _ text: [UInt8], _ shape: Shape, _ given: RelatedFileKind?
    ) throws(RelatedFileError) -> RelatedDocument? {
        var reader = RelatedReader(app: given?.app)
        // JSON may begin like something of these apps, and be something else.
        if let kind = try reader.read(text, shape) { return RelatedDocument(kind: kind, items: reader.items) }
        // One raw box of a hundred begins like JSON.
        guard given != nil, text.count >= RelatedBox.overhead else { return nil }
        reader = RelatedReader(app: given?.app)
        guard let kind = try reader.read(text, .binary) else { return nil }
        return RelatedDocument(kind: kind, items: reader.items)
    }
}

/// A file of which the beginning was looked at, for whoever reads it on.
package struct LookedFile: ~Copyable {
    var source: CaptureSource

    package init(_ input: consuming InputFile) throws(FileError) {
        source = try CaptureSource(input)
    }
}

extension RelatedDocument {
    /// How a file is read, by its first bytes.
    enum Shape {
        case json, base64, armor, link, binary

        init?(_ bytes: ArraySlice<UInt8>, isWhole: Bool, _ given: RelatedFileKind?) {
            let text = bytes.drop { CaptureReader.isBlank($0) }
            if isWhole, bytes.count == LChatThreadKey.length, LChatThreadKey(Array(bytes))?.hasPoint == true {
                self = .binary
            } else if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") {
                self = .json
            } else if OpenPGPArmor.begins(text) {
                self = .armor
            } else if isWhole, LChatInvite(Array(text)) != nil {
                self = .link
            } else if Self.isBase64(text), given != nil || !Self.isLikeKey(text) {
                self = .base64
            } else if given != nil {
                self = .binary
            } else {
                return nil
            }
        }

        /// Whether all of it may as well be a key or a hash of 32 bytes: one line of 64 hex digits, or of 44 letters of base64,
        /// which a text of four letters has when it is sealed. Who says which app it is of gets it opened.
        private static func isLikeKey(_ text: ArraySlice<UInt8>) -> Bool {
            let word = text.prefix { !CaptureReader.isBlank($0) }
            guard text.dropFirst(word.count).allSatisfy({ CaptureReader.isBlank($0) }) else { return false }
            return word.count == 44 || (word.count == 64 && Hex.decode(Array(word).span) != nil)
        }

        /// Whether the first line is base64 of at least a box.
        private static func isBase64(_ text: ArraySlice<UInt8>) -> Bool {
            let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
            guard line.count >= 40 else { return false }
            let isCut = line.count == text.count
            let sample = isCut ? line.prefix(line.count / 4 * 4).prefix(4_096) : line.prefix(4_096)
            if sample.count == line.count { return Base64.decode(Array(line).span) != nil }
            return Base64.decode(Array(sample.prefix(sample.count / 4 * 4)).span) != nil
        }
    }
}
