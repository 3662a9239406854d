import CryptoPrimitives
import QRCodes
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("pictures that were changed at random", .enabled(if: ChildProcess.has("python3")))
struct PictureMutationTests {
    private static let rounds = LongTests.areWanted ? 4_000 : 250

    @Test("photographs are read before they are changed")
    func photographs() throws {
        for text in [CameraPictures.baseline, CameraPictures.progressive] {
            let picture = Self.decoded(text)
            #expect(try ImageHelper.start().scan(picture: picture, named: "photo.jpg") == [Array("sxkey".utf8)])
        }
    }

    @Test("the helper answers, with codes or a named error; it never dies and never hangs")
    func mutations() throws {
        let seeds = try Self.seeds()
        try #require(seeds.count > 50)
        var random = Mutator(seed: LongTests.areWanted ? wallClock().bitPattern : 20)
        var outcomes: [String: Int] = [:]
        for round in 0..<Self.rounds {
            var picture = seeds[round % seeds.count]
            random.mutate(&picture)
            do throws(CommandError) {
                let codes = try ImageHelper.start().scan(picture: picture, named: "mutated")
                outcomes["ok", default: 0] += 1
                // Error correction and checksums hold: what is read is what was there.
                for code in codes { #expect(HostilePictureTests.payloads.contains(code)) }
            } catch {
                let isAboutThePicture = if case .image(.picture) = error { true } else { false }
                if !isAboutThePicture {
                    Issue.record("\(error) for \(Base64.encode(picture.span).prefix(100_000))")
                }
                outcomes[error.message.code, default: 0] += 1
            }
        }
        // The changes reach the decoders, and not only the checks before them.
        #expect(outcomes["ok", default: 0] > Self.rounds / 10, "\(outcomes)")
        #expect(outcomes["damaged", default: 0] > Self.rounds / 20, "\(outcomes)")
    }

    /// Pictures of all kinds that are not too large to be many.
    private static func seeds() throws -> [[UInt8]] {
        let folder = TemporaryFolder()
        try HostilePictureTests.write(to: folder)
        var seeds = folder.names.filter { $0.hasPrefix("ok-") }.compactMap { fileBytes(folder.file($0)) }
            .filter { $0.count < 100_000 }
        for text in [CameraPictures.baseline, CameraPictures.progressive] {
            // Often: they are the only ones with all that a JPEG can have.
            seeds += Array(repeating: decoded(text), count: 10)
        }
        return seeds
    }

    private static func decoded(_ text: String) -> [UInt8] {
        Base64.decode(Array(text.utf8).span) ?? []
    }
}

/// Changes a few bytes, and puts the checksums of PNG chunks right, so that the change gets past them.
private struct Mutator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    private mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ value >> 31) % UInt64(limit))
    }

    mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0...next(below: 4) {
            let place = next(below: bytes.count)
            switch next(below: 8) {
            case 0...2: bytes[place] ^= 1 << UInt8(next(below: 8))
            case 3: bytes[place] = UInt8(next(below: 256))
            case 4: bytes[place] = [0, 0x7F, 0x80, 0xFF][next(below: 4)]
            case 5: bytes.remove(at: place)
            case 6: bytes.insert(UInt8(next(below: 256)), at: place)
            default:
                let count = min(next(below: 64), bytes.count - place)
                let other = next(below: bytes.count - count + 1)
                bytes.replaceSubrange(place..<place + count, with: Array(bytes[other..<other + count]))
            }
            if bytes.isEmpty { return }
        }
        Self.mendChecksums(&bytes)
    }

    private static func mendChecksums(_ bytes: inout [UInt8]) {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return }
        var position = 8
        while bytes.count - position >= 12 {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - position - 12 else { return }
            let sum = checksum(bytes[position + 4..<position + 8 + length])
            for byte in 0..<4 {
                bytes[position + 8 + length + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * byte))
            }
            position += 12 + length
        }
    }

    /// CRC-32 (ISO/IEC 15948, annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
