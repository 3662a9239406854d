import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// Decrypts files of a store without their tag, and guesses what happened to them.
///
/// Only for files that `StoreFileReader` refused as not authentic or too short.
package struct SalvageReader: ~Copyable {
    private var cipher: UnauthenticatedAESGCM
    private var scanner: MessageScanner

    package init(key: borrowing SecretBytes) throws(StoreFileFailure) {
        self.init(cipher: try Self.cipher(key), scanner: try Self.newScanner())
    }

    private init(cipher: consuming UnauthenticatedAESGCM, scanner: consuming MessageScanner) {
        self.cipher = cipher
        self.scanner = scanner
    }

    private static func cipher(_ key: borrowing SecretBytes) throws(StoreFileFailure) -> UnauthenticatedAESGCM {
        do throws(AEADError) { return try UnauthenticatedAESGCM(key: key) } catch { throw .cipher }
    }

    private static func newScanner() throws(StoreFileFailure) -> MessageScanner {
        do throws(OutOfMemory) {
            return try MessageScanner()
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }

    /// Reads a conversation's file.
    package mutating func messages(of file: StoreFile) throws(StoreFileFailure) -> SalvagedText {
        let all = try decrypted(file)
        do throws(OutOfMemory) {
            let buffer = try PlaintextBuffer(copying: all)
            guard let damage = Self.noText(all) else { return try judge(file, buffer, all) }
            return SalvagedText(file: file, damage: damage, buffer: buffer, text: 0..<0)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }

    /// Reads a blob file: its text as it stands, for the formats have no word on what part of one is worth.
    package mutating func blob(_ file: StoreFile) throws(StoreFileFailure) -> SalvagedText {
        let all = try decrypted(file)
        let buffer: PlaintextBuffer
        do throws(OutOfMemory) {
            buffer = try PlaintextBuffer(copying: all)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        if let damage = Self.noText(all) {
            return SalvagedText(file: file, damage: damage, buffer: buffer, text: 0..<0)
        }
        let isWhole = all.count >= AEADSize.tag && !Self.endsAsText(all)
        let text = 0..<(isWhole ? all.count - AEADSize.tag : all.count)
        let damage = isWhole ? SalvageDamage(.altered) : SalvageDamage(.cutOff, at: all.count)
        return SalvagedText(
            file: file, damage: damage, buffer: buffer, text: text, fragments: text.isEmpty ? [] : [text])
    }

    /// Reads an attachment. Its bytes say little of what happened: what is known here by its end is taken as whole.
    package mutating func content(of file: StoreFile) throws(StoreFileFailure) -> SalvagedContent {
        let all = try decrypted(file)
        guard !all.isEmpty else {
            return SalvagedContent(file: file, damage: SalvageDamage(.nothingLeft), bytes: [], fileType: nil)
        }
        let type = ContentType(all)
        if let ending = type?.ending, all.count > AEADSize.tag,
            all.dropLast(AEADSize.tag).suffix(ending.count) == ending[...]
        {
            return SalvagedContent(
                file: file, damage: SalvageDamage(.altered), bytes: Array(all.dropLast(AEADSize.tag)), fileType: type)
        }
        // All of it: whether the last bytes are a tag is not known, and what shows pictures steps over it.
        return SalvagedContent(file: file, damage: SalvageDamage(.altered), bytes: all, fileType: type)
    }

    /// Everything behind the nonce, as if it were text.
    private mutating func decrypted(_ file: StoreFile) throws(StoreFileFailure) -> [UInt8] {
        var box: [UInt8]
        do throws(FileError) {
            var input = try InputFile(opening: file.path)
            box = try input.readAll(limit: StoreFileReader.maximumFileSize)
        } catch {
            throw .file(error)
        }
        guard box.count > AEADSize.nonce else { return [] }
        let nonce = Array(box.prefix(AEADSize.nonce))
        box.removeFirst(AEADSize.nonce)
        do throws(AEADError) {
            var span = box.mutableSpan
            try cipher.decryptWithoutProof(&span, nonce: nonce.span)
        } catch {
            throw .cipher
        }
        return box
    }

    private static func noText(_ all: [UInt8]) -> SalvageDamage? {
        if all.isEmpty { return SalvageDamage(.nothingLeft) }
        return TextPlausibility.holdsText(all.span) ? nil : SalvageDamage(.noise)
    }

    /// The last bytes are text, where a whole file has its tag.
    private static func endsAsText(_ all: [UInt8]) -> Bool {
        let tail = Array(all.suffix(AEADSize.tag))
        return TextPlausibility.isText(tail.span)
    }
}

// MARK: - What happened

extension SalvageReader {
    private mutating func judge(
        _ file: StoreFile, _ buffer: PlaintextBuffer, _ all: [UInt8]
    ) throws(OutOfMemory) -> SalvagedText {
        let body = max(0, all.count - AEADSize.tag)
        let whole = try read(file, buffer, 0..<body)
        if !whole.isOpen {
            let damage =
                whole.trailing.map { SalvageDamage(.bytesAppended, at: $0) } ?? SalvageDamage(.altered, at: whole.first)
            return whole.text(damage)
        }
        // The list does not end where it should. Some bytes of the tag may be missing, or all of it and text as well.
        for left in stride(from: min(AEADSize.tag - 1, all.count), through: 0, by: -1) {
            let end = all.count - left
            guard Self.endsAsList(all, end) else { continue }
            let shorter = try read(file, buffer, 0..<end)
            if !shorter.isOpen, shorter.trailing == nil { return shorter.text(SalvageDamage(.tagCutOff, at: end)) }
        }
        guard Self.endsAsText(all) || all.count < AEADSize.tag else {
            return whole.text(SalvageDamage(.altered, at: whole.first))
        }
        let cut = try read(file, buffer, 0..<all.count)
        return cut.text(SalvageDamage(.cutOff, at: all.count))
    }

    /// One reading of the text in a range.
    private struct Reading {
        let file: StoreFile
        let buffer: PlaintextBuffer
        let range: Range<Int>
        let messages: [StoredMessage]
        let isStrict: Bool
        /// The last bracket is missing.
        let isOpen: Bool
        /// Where something stands behind the last bracket.
        let trailing: Int?
        /// The first thing that is not strict JSON.
        let first: Int?

        func text(_ damage: SalvageDamage) -> SalvagedText {
            SalvagedText(
                file: file, damage: damage, buffer: buffer, text: range, messages: messages, isStrict: isStrict,
                fragments: fragments())
        }

        /// What is not part of a message, brackets and commas between them aside.
        private func fragments() -> [Range<Int>] {
            var found = FileMessages.gaps(buffer, range, between: messages.map(\.sourceRange))
            // Noise behind the end of the list is no text that was lost.
            if let trailing, let last = found.last, last.lowerBound >= trailing,
                !TextPlausibility.holdsText(buffer.bytes(in: last).span)
            {
                found.removeLast()
            }
            return found
        }
    }

    private mutating func read(
        _ file: StoreFile, _ buffer: PlaintextBuffer, _ range: Range<Int>
    ) throws(OutOfMemory) -> Reading {
        var list = MessageList(buffer, at: 0)
        var outcome = try scanner.scan(buffer, range, into: &list)
        let beginsAsList = outcome != .notMessages
        if !beginsAsList, let first = Self.firstMessage(in: buffer.bytes(in: range)) {
            // The bracket itself is damaged. Read as if everything before the first message were white space.
            var patched = buffer.bytes(in: range)
            for index in 0..<first { patched[index] = index == 0 ? UInt8(ascii: "[") : 0x20 }
            let other = try PlaintextBuffer(copying: patched)
            list = MessageList(other, at: 0)
            outcome = try scanner.scan(other, 0..<other.count, into: &list)
        }
        var problems = TextProblems()
        if case .tolerant(let found) = outcome { problems = found }
        let isList = outcome != .notMessages
        let isCut = problems.contains { $0.kind == .cutOff }
        return Reading(
            file: file, buffer: buffer, range: range, messages: isList ? list.messages : [],
            isStrict: outcome == .strict && beginsAsList, isOpen: isCut || !isList,
            trailing: problems.first { $0.kind == .trailingBytes }?.offset,
            first: beginsAsList ? problems.map(\.offset).min() : range.lowerBound)
    }

    /// Where the first object begins that has a key of a message first.
    private static func firstMessage(in text: [UInt8]) -> Int? {
        let keys = StoredMessage.Field.allCases.map { Array("{\"\($0.name)\":".utf8) }
        var index = 1
        while let found = text[min(index, text.count)...].firstIndex(of: UInt8(ascii: "{")) {
            if keys.contains(where: { text[found...].starts(with: $0) }) { return found }
            index = found + 1
        }
        return nil
    }

    /// `}]` or an empty list stands before `end`.
    private static func endsAsList(_ all: [UInt8], _ end: Int) -> Bool {
        guard end >= 2, all[end - 1] == UInt8(ascii: "]") else { return false }
        return all[end - 2] == UInt8(ascii: "}") || (end == 2 && all[0] == UInt8(ascii: "["))
    }
}
