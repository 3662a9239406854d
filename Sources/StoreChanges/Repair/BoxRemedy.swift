import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Damage that can be undone so that the file's own tag proves the result. Nothing is guessed: what does not authenticate
/// after it is no remedy.
package enum BoxRemedy: Equatable, Sendable {
    /// One byte of the text was changed; bytes from the start of the file.
    case changedByte(at: Int)
    /// One byte of the tag was changed.
    case changedTag(at: Int)
    /// One bit of the nonce was flipped.
    case flippedNonce(bit: Int)
    /// Bytes were put behind the end.
    case appended(Int)
    /// Bytes of the tag are missing. Twelve or more that are left fit, as many as SP 800-38D (5.2.1.2) asks of a tag.
    case tagCut(missing: Int)
}

/// Looks for remedies of files that do not authenticate.
struct BoxDoctor: ~Copyable {
    /// Larger files are not looked at: each is read whole, and searched block by block.
    static let maximumSize = 256 << 20
    /// A file is opened once for each bit of its nonce.
    static let maximumSizeForNonce = 8 << 20

    private var cipher: AESGCM
    private var decrypting: UnauthenticatedAESGCM
    private var locator: GCMErrorLocator

    init(key: borrowing SecretBytes) throws(AEADError) {
        let cipher = try AESGCM(key: key)
        let decrypting = try UnauthenticatedAESGCM(key: key)
        let locator = try GCMErrorLocator(key: key)
        self.cipher = cipher
        self.decrypting = decrypting
        self.locator = locator
    }

    /// The text as its tag proves it, and what had to be undone; nil when that is not known.
    mutating func text(
        of file: StoreFile, isList: Bool
    ) throws(ChangeStepFailure) -> (text: [UInt8], remedy: BoxRemedy)? {
        guard file.size <= Self.maximumSize, file.size > AEADSize.nonce else { return nil }
        let box: [UInt8]
        do throws(FileError) {
            var input = try InputFile(opening: file.path)
            box = try input.readAll(limit: Self.maximumSize)
        } catch {
            throw .source(file, .file(error))
        }
        do throws(AEADError) {
            return try cured(box, isList: isList)
        } catch {
            throw .source(file, .cipher)
        }
    }

    private mutating func cured(
        _ box: [UInt8], isList: Bool
    ) throws(AEADError) -> (text: [UInt8], remedy: BoxRemedy)? {
        if let found = try withoutAppended(box, isList: isList) { return found }
        if isList, let found = try withoutWholeTag(box) { return found }
        if let byte = try locator.changedByte(of: box) {
            var fixed = box
            fixed[byte.offset] ^= byte.mask
            if let text = try open(fixed[...]) {
                let isTag = byte.offset >= box.count - AEADSize.tag
                return (text, isTag ? .changedTag(at: byte.offset) : .changedByte(at: byte.offset))
            }
        }
        guard box.count > AEADSize.overhead, box.count <= Self.maximumSizeForNonce else { return nil }
        for bit in 0..<AEADSize.nonce * 8 {
            var fixed = box
            fixed[bit / 8] ^= 1 << UInt8(bit % 8)
            if let text = try open(fixed[...]) { return (text, .flippedNonce(bit: bit)) }
        }
        return nil
    }

    private mutating func open(_ box: ArraySlice<UInt8>) throws(AEADError) -> [UInt8]? {
        guard box.count >= AEADSize.overhead else { return nil }
        var bytes = Array(box)
        do throws(AEADError) {
            var span = bytes.mutableSpan
            let range = try cipher.openCombined(inPlace: &span)
            return Array(bytes[range])
        } catch .notAuthentic {
            return nil
        }
    }

    // MARK: - Ends

    /// Ends where a shorter box may have ended: behind the list and its tag, and where zeros begin.
    private mutating func withoutAppended(
        _ box: [UInt8], isList: Bool
    ) throws(AEADError) -> (text: [UInt8], remedy: BoxRemedy)? {
        var ends: [Int] = []
        let zeros = box.reversed().prefix { $0 == 0 }.count
        // A tag may end with zeros itself.
        ends += (0..<3).map { box.count - zeros + $0 }
        if isList {
            let text = try decrypted(box)
            if let end = ListEnd.first(in: text) { ends.append(AEADSize.nonce + end + AEADSize.tag) }
        }
        for end in Set(ends).sorted() where end < box.count && end >= AEADSize.overhead {
            if let text = try open(box[..<end]) { return (text, .appended(box.count - end)) }
        }
        return nil
    }

    /// At least 12 bytes of the tag, and the text before them, which ends as a list does.
    private mutating func withoutWholeTag(
        _ box: [UInt8]
    ) throws(AEADError) -> (text: [UInt8], remedy: BoxRemedy)? {
        let all = try decrypted(box)
        let nonce = Array(box[..<AEADSize.nonce])
        for left in stride(from: AEADSize.tag - 1, through: Self.shortestTag, by: -1) where all.count > left {
            let end = all.count - left
            guard all[end - 1] == UInt8(ascii: "]") else { continue }
            let text = Array(all[..<end])
            var again = text
            var span = again.mutableSpan
            let tag = try cipher.seal(inPlace: &span, nonce: nonce.span)
            if tag.prefix(left) == box[(box.count - left)...] {
                return (text, .tagCut(missing: AEADSize.tag - left))
            }
        }
        return nil
    }

    private static let shortestTag = 12

    /// Everything behind the nonce as if it were text; not proven.
    private mutating func decrypted(_ box: [UInt8]) throws(AEADError) -> [UInt8] {
        guard box.count > AEADSize.nonce else { return [] }
        let nonce = Array(box[..<AEADSize.nonce])
        var text = Array(box[AEADSize.nonce...])
        var span = text.mutableSpan
        try decrypting.decryptWithoutProof(&span, nonce: nonce.span)
        return text
    }
}

/// Where the JSON array that a text begins with ends.
enum ListEnd {
    /// Behind the bracket that closes the first one; nil when nothing does.
    static func first(in text: [UInt8]) -> Int? {
        guard text.first == UInt8(ascii: "[") else { return nil }
        var depth = 0
        var inString = false
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if inString {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") { inString = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
        }
        return nil
    }
}
