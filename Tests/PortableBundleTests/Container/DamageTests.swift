import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite("A damaged bundle")
struct DamageTests {
    private let folder = TemporaryFolder()
    private let path: String
    private let key: SXBSecret
    private let whole: [UInt8]
    private let payload: Range<Int>

    init() throws {
        path = folder.file("a.sxb")
        key = try SampleBundle.key()
        try SampleBundle.write(to: path, recipients: [.publicKey(key.publicKey)], signer: TestSigner())
        whole = fileBytes(path) ?? []
        payload = try SXBReader.inspect(FilePath(path)).payload
    }

    private func error(_ bytes: [UInt8]) -> SXBError? {
        writeBytes(bytes, to: path)
        return SampleBundle.error(path, [key])
    }

    private func changed(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
        var file = whole
        file.replaceSubrange(place..<(place + bytes.count), with: bytes)
        return file
    }

    /// The header with its checksum made new, as somebody without the file key can.
    private func forged(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var text = Array(whole[9..<(payload.lowerBound - 64)])
        change(&text)
        var file = Array(whole[..<5]) + BigEndian.bytes(UInt64(text.count), count: 4) + text
        file += whole[(payload.lowerBound - 64)..<(payload.lowerBound - 32)]
        file += SHA256.hash(file.span)
        file += whole[payload]
        return file + BundleTrailer.bytes(fileLength: file.count + 16)
    }

    @Test("is refused for each single flipped bit, with an error that says where")
    func bitFlips() {
        var file = whole
        // In the payload one bit of each byte: which one makes no difference to a tag.
        for place in whole.indices {
            let bits = payload.contains(place) ? [place % 8] : Array(0..<8)
            for bit in bits {
                file[place] ^= 1 << UInt8(bit)
                let error = self.error(file)
                file[place] ^= 1 << UInt8(bit)
                #expect(isExpected(error, at: place), "byte \(place), bit \(bit): \(String(describing: error))")
            }
        }
        #expect(error(whole) == nil)
    }

    private func isExpected(_ error: SXBError?, at place: Int) -> Bool {
        guard let error else { return false }
        switch (place, error) {
        case (0..<4, .notSXB): return true
        case (4, .newerVersion), (4, .headerDamaged): return true
        case (5..<payload.lowerBound, .headerDamaged): return true
        case (payload.lowerBound..<(payload.lowerBound + 56), .payloadForeign): return true
        case (_, .chunkDamaged(let index, let offset)):
            return payload.contains(place) && index == 0 && offset == payload.lowerBound + 56
        case (payload.upperBound..., .trailerDamaged), (payload.upperBound..., .truncated),
            (payload.upperBound..., .trailingData):
            return true
        default: return false
        }
    }

    @Test("is truncated when it ends at any byte but the last")
    func truncation() {
        for count in 0..<whole.count {
            let error = self.error(Array(whole[..<count]))
            if count == 0 {
                #expect(error == .notSXB)
            } else {
                #expect(error == .truncated(expected: nil, found: count), "\(count) bytes")
            }
        }
    }

    @Test("has trailing data when something follows it")
    func trailingData() {
        for extra in [1, 15, 16, 17, 5000] {
            #expect(
                error(whole + [UInt8](repeating: 0, count: extra))
                    == .trailingData(expected: whole.count, found: whole.count + extra))
        }
        #expect(error(whole + whole) == .trailingData(expected: whole.count, found: 2 * whole.count))
        // The trailer lies across the border of the pieces in which it is looked for.
        let far = [UInt8](repeating: 0x53, count: 1 << 20)
        #expect(error(whole + far) == .trailingData(expected: whole.count, found: whole.count + far.count))
    }

    @Test("without a piece of its middle is truncated, and says how long it was")
    func hole() {
        let file = Array(whole[..<200]) + whole[210...]
        #expect(error(file) == .truncated(expected: UInt64(whole.count), found: whole.count - 10))
    }

    @Test("with an impossible length anywhere is refused at once")
    func lengths() {
        for value in [0, 1, 1 << 31 - 1, 1 << 32 - 1] as [UInt64] {
            #expect(error(changed(5, BigEndian.bytes(value, count: 4))) == .headerDamaged, "header length \(value)")
        }
        for value in [0, 1, 1 << 31 - 1, 1 << 32 - 1, 1 << 63 - 1, UInt64.max] as [UInt64] {
            let expected: SXBError =
                value > UInt64(whole.count) ? .truncated(expected: value, found: whole.count) : .trailerDamaged
            #expect(error(changed(whole.count - 8, BigEndian.bytes(value, count: 8))) == expected, "length \(value)")
        }
    }

    @Test("of a later version says so, whatever else it has")
    func newerVersion() {
        #expect(error(changed(4, [2])) == .newerVersion(found: 2, known: 1))
        #expect(error(Array("SXB2".utf8) + [9]) == .newerVersion(found: 9, known: 1))
    }

    @Test("another file is none", arguments: ["", "S", "SX", "SXDB and so on", "PK", "SXB1SXB1SXB1"])
    func otherFiles(_ text: String) {
        let error = self.error(Array(text.utf8))
        #expect(error == (text == "S" || text == "SX" ? .truncated(expected: nil, found: text.utf8.count) : .notSXB))
    }

    @Test("a header that somebody changed and summed again opens, and is known as changed")
    func headerChanged() throws {
        // A recipient of an unknown type was put in.
        let added = forged { text in
            let end = text.count - 2
            text.insert(contentsOf: Array(",{\"type\":\"later\"}".utf8), at: end)
        }
        #expect(error(added) == .headerChanged)
        let header = try SXBReader.inspect(FilePath(path))
        #expect(header.recipients == [.x25519, .unknown(type: "later")])
    }

    @Test("a bundle cannot become one of the other kind")
    func otherKind() {
        let changed = forged { text in
            let old = Array("public-key".utf8)
            guard let place = text.indices.first(where: { text[$0...].starts(with: old) }) else { return }
            text.replaceSubrange(place..<(place + old.count), with: Array("passphrase".utf8))
        }
        #expect(error(changed) == .headerMalformed(.mixedRecipients))
    }

    @Test("the payload of another bundle under a header is foreign")
    func foreignPayload() throws {
        let other = folder.file("b.sxb")
        try SampleBundle.write(to: other, recipients: [.publicKey(key.publicKey)], signer: TestSigner())
        let bytes = try #require(fileBytes(other))
        let range = try SXBReader.inspect(FilePath(other)).payload
        var file = whole[..<payload.lowerBound] + bytes[range]
        file += BundleTrailer.bytes(fileLength: file.count + 16)
        #expect(error(Array(file)) == .payloadForeign)
    }

    @Test("the damaged chunk is named, and the file before it is given out")
    func damagedChunk() throws {
        let files = [(name: "attachments/a", bytes: Random.bytes(100 * 16_384))]
        try SampleBundle.write(files, to: path, recipients: [.publicKey(key.publicKey)], replacing: true)
        var file = try #require(fileBytes(path))
        let payload = try SXBReader.inspect(FilePath(path)).payload
        let place = payload.lowerBound + 56 + 73 * 16_400
        file[place + 1000] ^= 1
        writeBytes(file, to: path)
        #expect(
            SampleBundle.error(path, [key], declared: SampleBundle.entries(files))
                == .chunkDamaged(index: 73, offset: place))
        var reader = try SXBReader(opening: FilePath(path), secrets: [key])
        _ = try reader.manifest()
        try reader.allow(SampleBundle.entries(files))
        _ = try reader.next()
        var found: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 10_000)
        do throws(SXBError) {
            while true {
                var span = piece.mutableSpan
                let count = try reader.read(into: &span)
                found += piece[..<count]
            }
        } catch {
            #expect(error == .chunkDamaged(index: 73, offset: place))
        }
        // What came was authentic, and the error stays.
        #expect(found.count > 72 * 16_384)
        #expect(found.elementsEqual(files[0].bytes.prefix(found.count)))
        do throws(SXBError) {
            _ = try reader.next()
            Issue.record("the error did not stick")
        } catch {
            #expect(error == .chunkDamaged(index: 73, offset: place))
        }
    }

    @Test("chunks that change places, come twice, or are cut off at their border are refused")
    func chunkOrder() throws {
        let files = [(name: "attachments/a", bytes: Random.bytes(4 * 16_384))]
        try SampleBundle.write(files, to: path, recipients: [.publicKey(key.publicKey)], replacing: true)
        let file = try #require(fileBytes(path))
        let payload = try SXBReader.inspect(FilePath(path)).payload
        let start = payload.lowerBound + 56
        let chunks = (0..<3).map { Array(file[(start + $0 * 16_400)..<(start + ($0 + 1) * 16_400)]) }
        func made(_ order: [Int], rest: Bool = true) -> [UInt8] {
            var made = file[..<start] + order.flatMap { chunks[$0] }
            if rest { made += file[(start + 3 * 16_400)..<payload.upperBound] }
            return Array(made + BundleTrailer.bytes(fileLength: made.count + 16))
        }
        func found(_ bytes: [UInt8]) -> SXBError? {
            writeBytes(bytes, to: path)
            return SampleBundle.error(path, [key], declared: SampleBundle.entries(files))
        }
        #expect(found(made([0, 1, 2])) == nil)
        #expect(found(made([1, 0, 2])) == .chunkDamaged(index: 0, offset: start))
        #expect(found(made([0, 0, 2])) == .chunkDamaged(index: 1, offset: start + 16_400))
        #expect(found(made([0, 1, 2], rest: false)) == .payloadLength(56 + 3 * 16_400))
        #expect(found(made([0, 1, 2, 2])) == .chunkDamaged(index: 3, offset: start + 3 * 16_400))
    }
}
