import CryptoPrimitives
import Foundation
import Testing

@testable import SophaxCore

/// The code by Python's `hmac`.
@Suite("Session blobs")
struct SessionBlobTests {
    private static let json = Array(#"{"a":1}"#.utf8)
    private static let key = Array(UInt8(0)...0x1F)
    /// hmac.new(bytes(range(32)), b'{"a":1}', sha256)
    private static let code = "b4cebde30982443ec36c18fa99ad10a70e705bba779f57c37e84decb64ae50fb"

    private struct Read: Equatable {
        let state: [UInt8]
        let form: SessionBlob.Form
        let verdict: SessionBlob.Verdict
    }

    private func read(_ blob: [UInt8], key: [UInt8]? = nil) throws -> Read {
        let blob = try secret(blob)
        let content = try SessionBlob.read(blob, macKey: key.map { try secret($0) })
        return Read(state: content.state.exposed, form: content.form, verdict: content.verdict)
    }

    @Test("are sealed as the app seals them, and verified")
    func sealed() throws {
        let blob = try SessionBlob.seal(secret(Self.json), macKey: secret(Self.key)).exposed
        #expect(blob == bytes(hex: Self.code) + Self.json)
        #expect(try read(blob, key: Self.key) == Read(state: Self.json, form: .authenticated, verdict: .authentic))
        #expect(try read(blob) == Read(state: Self.json, form: .authenticated, verdict: .notVerified))
        for bit in 0..<blob.count * 8 where bit / 8 != 32 {
            var changed = blob
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try read(changed, key: Self.key).verdict == .forged, "bit \(bit)")
        }
    }

    @Test("only an authentic one is opened for use: none that was changed, none without a code, none by another key")
    func opened() throws {
        func opened(_ blob: [UInt8], _ key: [UInt8] = Self.key) throws -> [UInt8] {
            try SessionBlob.open(secret(blob), macKey: secret(key)).exposed
        }
        let blob = bytes(hex: Self.code) + Self.json
        #expect(try opened(blob) == Self.json)
        for bit in 0..<blob.count * 8 where bit / 8 != 32 {
            var changed = blob
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: SessionBlob.Failure.notAuthentic, "bit \(bit)") { try opened(changed) }
        }
        #expect(throws: SessionBlob.Failure.notAuthentic) { try opened(blob, [UInt8](repeating: 0, count: 32)) }
        #expect(throws: SessionBlob.Failure.noCode) { try opened(Self.json) }
        #expect(throws: SessionBlob.Failure.notASession) { try opened([1, 2, 3]) }
    }

    @Test("a key of another length than 32 bytes is refused in both directions", arguments: [0, 31, 33])
    func keyLengths(length: Int) throws {
        let key = [UInt8](repeating: 1, count: length)
        let blob = bytes(hex: Self.code) + Self.json
        let refusal = SessionBlob.Failure.macKeyLength(found: length)
        #expect(throws: refusal) { try read(blob, key: key) }
        #expect(throws: refusal) { _ = try SessionBlob.open(secret(blob), macKey: secret(key)) }
        #expect(throws: refusal) { _ = try SessionBlob.seal(secret(Self.json), macKey: secret(key)) }
    }

    @Test("JSON alone is told apart from a code that begins with a brace")
    func plain() throws {
        #expect(try read(Self.json, key: Self.key) == Read(state: Self.json, form: .plain, verdict: .noCode))
        let long = Array(#"{"abcdefghijklmnopqrstuvwxyz123":{"x":2}}"#.utf8)
        #expect(long[33] == UInt8(ascii: "{") || long[32] == UInt8(ascii: "{"))
        #expect(try read(long).form == .plain)
        let braced = [UInt8(ascii: "{")] + [UInt8](repeating: 0x20, count: 31) + Self.json
        #expect(try read(braced, key: Self.key) == Read(state: Self.json, form: .authenticated, verdict: .forged))
    }

    @Test("anything else is none, and the largest is as large as a state may be")
    func refused() throws {
        for blob in [[], [UInt8](repeating: 1, count: 32), [UInt8](repeating: 1, count: 40), Array("{".utf8)] {
            #expect(throws: SessionBlob.Failure.notASession) { _ = try read(blob) }
        }
        let ceiling = RatchetStateReader.ceiling + 32
        var large = [UInt8](repeating: UInt8(ascii: " "), count: ceiling)
        large.replaceSubrange(32..<34, with: Array("{}".utf8))
        #expect(try read(large).state.count == ceiling - 32)
        large.append(UInt8(ascii: " "))
        #expect(throws: SessionBlob.Failure.tooLarge(found: ceiling + 1, ceiling: ceiling)) { _ = try read(large) }
    }
}
