import SophaxCore
import Testing

@testable import SophaxFiles

@Suite("reading bundles")
struct PreKeyBundleFileTests {
    private func error(_ text: [UInt8]) -> PreKeyFileError? {
        do throws(PreKeyFileError) {
            _ = try PreKeyBundleFile.read(text)
            return nil
        } catch {
            return error
        }
    }

    private func error(_ text: String) -> PreKeyFileError? { error(Array(text.utf8)) }

    @Test("an id is a whole number of 32 bits")
    func ids() throws {
        let id = #""signedPreKeyId":1738933701"#
        let good: [(String, UInt64)] = [
            ("0", 0), ("1", 1), ("16777215", 0xFF_FFFF), ("16777216", 0x100_0000), ("4294967295", 0xFFFF_FFFF),
            ("7.0", 7), ("7e0", 7), ("42949672950e-1", 0xFFFF_FFFF),
        ]
        for (text, value) in good {
            let file = try PreKeyBundleFile.read(PreKeySpecimen.changed(id, "\"signedPreKeyId\":\(text)"))
            #expect(file.bundle.signedPreKey.id == value)
        }
        for text in ["4294967296", "-1", "1.5", "18446744073709551616", "1e300", "-0.5"] {
            #expect(
                try error(PreKeySpecimen.changed(id, "\"signedPreKeyId\":\(text)"))
                    == .field("signedPreKeyId", .outOfRange))
        }
        for text in ["\"7\"", "true", "[7]"] {
            #expect(
                try error(PreKeySpecimen.changed(id, "\"signedPreKeyId\":\(text)"))
                    == .field("signedPreKeyId", .wrongType))
        }
        let zero = try PreKeyBundleFile.read(PreKeySpecimen.changed(id, #""signedPreKeyId":0"#))
        #expect(
            PreKeyJudgement(of: zero, now: zero.bundle.unixTime).findings == [PreKeyFinding(.idNotMadeByApps, "0")])
        #expect(
            try error(PreKeySpecimen.changed("2117419924", "4294967296")) == .field("oneTimePreKeyId", .outOfRange))
    }

    @Test("keys and signatures of another length are refused by name")
    func lengths() throws {
        let keys = try PreKeySpecimen.bundle()
        let fields: [(String, [UInt8], Int)] = [
            ("signingKeyPublic", keys.identityKeys.signing, 32), ("dhIdentityKeyPublic", keys.identityKeys.dh, 32),
            ("signedPreKeyPublic", keys.signedPreKey.key, 32), ("signedPreKeySignature", keys.signature, 64),
            ("oneTimePreKeyPublic", keys.oneTimePreKey?.key ?? [], 32),
        ]
        for (name, bytes, length) in fields {
            let right = base64(bytes)
            for other in [[], Array(bytes.dropLast()), bytes + [0]] {
                #expect(
                    try error(PreKeySpecimen.changed(right, base64(other)))
                        == .field(name, .wrongLength(expected: length, found: other.count)))
            }
            #expect(try error(PreKeySpecimen.changed(right, String(right.dropLast()))) == .field(name, .notBase64))
            #expect(try error(PreKeySpecimen.changed("\"\(right)\"", "7")) == .field(name, .wrongType))
        }
    }

    @Test("a time is a number that a double holds; before 2001 is possible")
    func times() throws {
        let time = "817695221.1040374"
        for (text, value) in [("0", 0.0), ("-1.5", -1.5), ("1e-07", 1e-7), ("-1e300", -1e300), ("-0", -0.0)] {
            let file = try PreKeyBundleFile.read(PreKeySpecimen.changed(time, text))
            #expect(file.bundle.timestamp.bitPattern == value.bitPattern)
            #expect(PreKeyJudgement(of: file, now: 0).signatureForm == nil)
        }
        for text in ["NaN", "Infinity", "1e400", "-1e400", "+1", "01", ".5", "1."] {
            let found = try error(PreKeySpecimen.changed(time, text))
            guard case .notJSON = found else {
                Issue.record("\(text): \(String(describing: found))")
                continue
            }
        }
        for text in ["true", "[]", "{}"] {
            #expect(try error(PreKeySpecimen.changed(time, text)) == .field("timestamp", .wrongType))
        }
        #expect(try error(PreKeySpecimen.changed(time, "null")) == .field("timestamp", .missing))
    }

    @Test("a key that stands twice is refused, also with an escape in it")
    func duplicates() throws {
        for extra in [#""username":"eve","#, #""user\u006eame":"eve","#, #""signingKeyPublic":null,"#] {
            let name = extra.hasPrefix("\"user") ? "username" : "signingKeyPublic"
            #expect(try error(PreKeySpecimen.changed("{", "{" + extra)) == .field(name, .repeated))
        }
    }

    @Test("unknown keys are ignored, twice or nested")
    func unknownKeys() throws {
        let message = try PreKeyBundleFile.read(PreKeySpecimen.changed("{", #"{"type":"hello","payload":"","#))
        #expect(try message.bundle == PreKeySpecimen.bundle() && message.source == .bundle)
        let extra = #"{"x":1,"x":{"y":[1,{"signingKeyPublic":"no"}]},"\u00e9":1,"e\u0301":2,"#
        let file = try PreKeyBundleFile.read(PreKeySpecimen.changed("{", extra))
        #expect(try file.bundle == PreKeySpecimen.bundle())
    }

    @Test("a name keeps its bytes")
    func names() throws {
        for name in ["caf\u{e9}", "cafe\u{301}", "\u{202e}evil", "", "👩‍👩‍👧"] {
            let file = try PreKeyBundleFile.read(PreKeySpecimen.changed("alice", name))
            #expect(file.bundle.username == Array(name.utf8))
        }
        let escaped = try PreKeyBundleFile.read(PreKeySpecimen.changed("alice", #"caf\u00e9\ud83d\ude00\/"#))
        #expect(escaped.bundle.username == Array("café😀/".utf8))
        for broken in [#"\ud800"#, "a\u{0}b", #"\x"#] {
            guard case .notJSON = try error(PreKeySpecimen.changed("alice", broken)) else {
                Issue.record("\(broken) was taken")
                continue
            }
        }
    }

    @Test("every key that the app requires is missed by name")
    func missing() throws {
        let names = [
            "signingKeyPublic", "dhIdentityKeyPublic", "signedPreKeyPublic", "signedPreKeyId", "signedPreKeySignature",
            "username", "timestamp", "oneTimePreKeyPublic", "oneTimePreKeyId",
        ]
        for name in names {
            #expect(try error(PreKeySpecimen.changed("\"\(name)\"", "\"x\"")) == .field(name, .missing))
        }
    }

    @Test("a whole message names the field inside its payload, and a broken envelope its own")
    func envelopes() throws {
        let bundle = PreKeySpecimen.json(try PreKeySpecimen.bundle())
        func message(_ payload: String, type: String = "hello", more: String = "") -> String {
            #"{"type":"\#(type)","payload":"\#(base64(Array(payload.utf8)))","senderID":"3619e750a2dd52ba","#
                + #""timestamp":817695221.5,"signature":"\#(base64([UInt8](repeating: 7, count: 64)))"\#(more)}"#
        }
        #expect(error(message(#"{"bundle":\#(bundle)}"#)) == nil)
        #expect(error(message(#"{"bundle":{}}"#)) == .field("bundle.signingKeyPublic", .missing))
        #expect(error(message("{}")) == .field("bundle", .missing))
        #expect(error(message("{}", type: "initiateSession")) == .field("senderBundle", .missing))
        #expect(error(message("{}", type: "hell\u{f6}")) == .otherMessage(type: Array("hellö".utf8)))
        #expect(error(message("[]")) == .notJSON(offset: 0))
        #expect(error(message("", more: #","type":"hello""#)) == .field("type", .repeated))
        #expect(error(message("{}").replacing(#""senderID""#, with: #""x""#)) == .field("senderID", .missing))
        #expect(
            error(message("{}").replacing(#""payload":""#, with: #""payload":"!"#)) == .field("payload", .notBase64))
        let short = message(#"{"bundle":\#(bundle)}"#).replacing(base64([UInt8](repeating: 7, count: 64)), with: "")
        let judged = try PreKeyJudgement(of: .read(Array(short.utf8)), now: 0)
        #expect(judged.messageIsSigned == false)
    }

    @Test("the payload of a message is read without its envelope, and a device link with its end")
    func payloads() throws {
        let bundle = PreKeySpecimen.json(try PreKeySpecimen.bundle())
        let hello = try PreKeyBundleFile.read(Array(#"{"bundle":\#(bundle)}"#.utf8))
        #expect(hello.source == .hello && hello.message == nil)
        #expect(String(decoding: hello.sourceJSON, as: UTF8.self) == bundle)
        #expect(try PreKeyBundleFile.read(Array(#"{"senderBundle":\#(bundle)}"#.utf8)).source == .initiateSession)
        let link = try PreKeyBundleFile.read(
            Array(#"{"deviceLabel":"iPad","bundle":\#(bundle),"expiresAt":817695821.5}"#.utf8))
        #expect(link.source == .deviceLink && link.linkExpiry == 817_695_821.5)
        #expect(link.deviceLabel == Array("iPad".utf8))
        func kinds(_ file: PreKeyBundleFile, after seconds: Double) -> [PreKeyFinding.Kind] {
            PreKeyJudgement(of: file, now: 817_695_821.5 + PreKeyBundle.epoch2001 + seconds).findings.map(\.kind)
        }
        #expect(kinds(link, after: -1).isEmpty)
        #expect(kinds(link, after: 0) == [.linkExpired])
        let endless = try PreKeyBundleFile.read(Array(#"{"deviceLabel":"iPad","bundle":\#(bundle)}"#.utf8))
        #expect(endless.linkExpiry == nil)
        #expect(kinds(endless, after: 0).isEmpty)
    }

    @Test("an Android bundle has its peer id, ids of 63 bits and a time as text")
    func android() throws {
        let file = try PreKeyBundleFile.read(PreKeySpecimen.android())
        #expect(file.bundle.platform == .android)
        #expect(file.bundle.signedPreKey.id == UInt64(Int64.max))
        #expect(file.bundle.timestamp == 817_695_221)
        // No limit of age, so a year later nothing is stale.
        let judgement = PreKeyJudgement(of: file, now: file.bundle.unixTime + 3e7)
        #expect(judgement.signatureForm == .keyOnly)
        #expect(judgement.peerIDs.map(\.fits) == [true])
        #expect(judgement.findings.map(\.kind) == [.timeNotSigned, .noOneTimePreKey])
        let other = try PreKeyJudgement(of: .read(PreKeySpecimen.android(peerID: "3619e750a2dd52bb")), now: 0)
        #expect(other.findings.contains(PreKeyFinding(.peerIDMismatch, "peerID 3619e750a2dd52bb")))
        for id in ["9223372036854775808", "-1"] {
            #expect(try error(PreKeySpecimen.android(id: id)) == .field("signedPreKeyId", .outOfRange))
        }
        let text = String(decoding: try PreKeySpecimen.android(), as: UTF8.self)
        #expect(error(text.replacing("\"peerID\"", with: "\"x\"")) == .field("peerID", .missing))
        for time in ["yesterday", "2026-02-30T01:33:41+0000", "2026-11-30T01:33:41", ""] {
            #expect(
                error(text.replacing("2026-11-30T01:33:41+0000", with: time)) == .field("timestamp", .notATime))
        }
    }

    @Test("what is no JSON, too large or cut off is refused, and never traps")
    func hostile() throws {
        #expect(error("") == .notJSON(offset: 0))
        #expect(error("[]") == .notJSON(offset: 0))
        #expect(error("{}") == .notRecognised)
        #expect(
            error([UInt8](repeating: 0x20, count: PreKeyBundleFile.sizeCeiling + 1))
                == .tooLarge(found: PreKeyBundleFile.sizeCeiling + 1, ceiling: PreKeyBundleFile.sizeCeiling))
        let text = Array(PreKeySpecimen.json(try PreKeySpecimen.bundle()).utf8)
        for count in 0..<text.count { #expect(error(Array(text[..<count])) != nil) }
        for index in text.indices {
            for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x80, 0xFF] {
                var changed = text
                changed[index] = byte
                _ = error(changed)
            }
        }
        // In a slice that does not begin at 0, behind a byte order mark, with a line ending.
        let framed = [1, 2, 3, 0xEF, 0xBB, 0xBF] + text + [0x0D, 0x0A]
        #expect(error(Array(framed.dropFirst(3))) == nil)
        #expect(error(String(repeating: "[", count: 100_000)) == .notJSON(offset: 0))
        let deep = #"{"signingKeyPublic":"# + String(repeating: #"{"a":"#, count: 100_000)
        #expect(error(deep) != nil)
    }
}
