import Foundation
import Testing

@testable import CryptoPrimitives

@Suite("Keys as base64 in lent memory")
struct KeyEncodingTests {
    private func decode(_ text: [UInt8]) -> (KeyEncoding.Result, [UInt8]) {
        var key = [UInt8](repeating: 0xEE, count: 32)
        var target = key.mutableSpan
        let result = KeyEncoding.decode(text.span, into: &target)
        return (result, key)
    }

    private func reads(_ text: String, as key: [UInt8]) -> Bool {
        let (result, found) = decode(Array(text.utf8))
        return result == .key && found == key
    }

    /// Keys whose base64 has no `/`, one, many, and nothing else.
    private static let keys: [[UInt8]] = [
        Array(0..<32), [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32),
        (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 73 ^ 0x3F) }, [0xFF] + [UInt8](repeating: 1, count: 31),
    ]

    @Test("the text is Foundation's, written where it belongs and nowhere else", arguments: keys)
    func encoding(key: [UInt8]) {
        var text = [UInt8](repeating: UInt8(ascii: "."), count: 50)
        var target = text.mutableSpan
        KeyEncoding.encode(key.span, into: &target, at: 3)
        #expect(text == Array("...".utf8) + Array(Data(key).base64EncodedData()) + Array("...".utf8))
        var exact = [UInt8](repeating: UInt8(ascii: "."), count: 44)
        var exactTarget = exact.mutableSpan
        KeyEncoding.encode(key.span, into: &exactTarget, at: 0)
        #expect(exact == Array(Data(key).base64EncodedData()))
    }

    @Test("it reads back, with every slash escaped, some, or none", arguments: keys)
    func decoding(key: [UInt8]) {
        let text = Data(key).base64EncodedString()
        #expect(reads(text, as: key))
        #expect(reads(text.replacingOccurrences(of: "/", with: "\\/"), as: key))
        if let slash = text.firstIndex(of: "/") {
            let once = text.replacingCharacters(in: slash...slash, with: "\\/")
            #expect(reads(once, as: key))
        }
    }

    @Test("another length, alphabet, padding or escape is refused, and zeros are left")
    func refusals() {
        let zeros = [UInt8](repeating: 0, count: 32)
        for length in [0, 1, 16, 31, 33, 34, 64] {
            let text = Data(repeating: 0x5A, count: length).base64EncodedString()
            let (result, key) = decode(Array(text.utf8))
            guard case .wrongLength(let found) = result else {
                Issue.record("\(length) bytes are \(result)")
                continue
            }
            if length <= 33 { #expect(found == length) }
            #expect(found != 32)
            #expect(key == zeros || length >= 34)
        }
        let good = Data(0..<32).base64EncodedString()
        for bad in [
            String(good.dropLast()), good.replacingOccurrences(of: "A", with: "-"), good + "=",
            good.replacingOccurrences(of: "A", with: "é"), " " + good,
            good.replacingOccurrences(of: "B", with: "\\u0042"),
            good.replacingOccurrences(of: "B", with: "\\n"), good.replacingOccurrences(of: "B", with: "\\\\"),
            String(good.dropLast()) + "\\", String(good.dropLast(2)) + "9=",
            good.replacingOccurrences(of: "=", with: "A"),
        ] {
            let (result, key) = decode(Array(bad.utf8))
            #expect(result != .key, "\(bad)")
            #expect(key == zeros || key == [UInt8](repeating: 0xEE, count: 32), "\(bad)")
        }
    }
}
