import CryptoPrimitives
import Foundation
import Testing

@testable import JSONCoding

@Suite("Objects of messages and states")
struct JSONObjectTests {
    static func object(_ text: String, ceiling: Int = 1 << 20) throws(FormatError) -> JSONObject {
        try JSONObject(Array(text.utf8), ceiling: ceiling)
    }

    static func bytes(_ key: StaticString, in object: JSONObject) throws(FormatError) -> [UInt8] {
        let secret = try object.required(key, object.secret(key))
        return secret.withSpan { span in (0..<span.count).map { span[$0] } }
    }

    @Test("Values are read as the apps' decoder reads them")
    func values() throws {
        let object = try Self.object(
            #"{"a":"\u00e9\/","b":"AAEC","c":7.0,"d":true,"e":null,"f":{"g":1e2},"h":["x","y"],"t":"2001-01-01T00:00:10+0000"}"#
        )
        #expect(try object.text("a") == Array("é/".utf8))
        #expect(try object.data("b", length: 3) == [0, 1, 2])
        #expect(try object.uint32("c") == 7)
        #expect(try object.flag("d") == true)
        #expect(try object.text("e") == nil)
        #expect(!object.has("e"))
        #expect(try object.object("f")?.double("g") == 100)
        #expect(try object.texts("h", limit: 2) == [Array("x".utf8), Array("y".utf8)])
        #expect(try object.time("t") == 10)
        #expect(
            object.unknown(besides: ["a", "b", "c", "d", "e", "f"]).map(\.key) == [Array("h".utf8), Array("t".utf8)])
        #expect(
            object.unknown(besides: ["a", "b", "c", "d", "e", "f", "t"]) == [
                JSONField(key: Array("h".utf8), value: Array(#"["x","y"]"#.utf8))
            ])
    }

    @Test(
        "Each fault has its own error",
        arguments: [
            (#"{"n":-1}"#, FormatError.field("n", .outOfRange)), (#"{"n":4294967296}"#, .field("n", .outOfRange)),
            (#"{"n":1.5}"#, .field("n", .outOfRange)), (#"{"n":"1"}"#, .field("n", .wrongType)),
            (#"{"n":1,"n":2}"#, .field("n", .repeated)),
        ])
    func faults(text: String, error: FormatError) throws {
        #expect(throws: error) { try Self.object(text).uint32("n") }
    }

    @Test("Objects under unknown keys are told by their members, and no value comes with them")
    func objectKeys() throws {
        let object = try Self.object(
            #"{"a":{"x":1,"y":2},"b":{"x":1,"y":2,"z":{}},"c":{"x":1},"d":[{"x":1,"y":2}],"e":"xy","f":{"x":{"y":1}}}"#)
        #expect(object.objectKeys(besides: ["a"], with: ["x", "y"]) == [Array("b".utf8)])
        #expect(object.objectKeys(besides: ["b"], with: []) == ["a", "c", "f"].map { Array($0.utf8) })
    }

    @Test("A key in base64 of another length, alphabet or without padding is refused")
    func secrets() throws {
        let good = try Self.object(#"{"k":"AAEC\/w=="}"#)
        #expect(try Self.bytes("k", in: good) == [0, 1, 2, 255])
        #expect(throws: FormatError.field("k", .wrongLength(expected: 5, found: 4))) {
            _ = try good.secret("k", length: 5)
        }
        for text in ["AAE", "AA_C", "AA C", "AAEC\\n", "AAE\\n", "AA\\u002f", "AA\\\\", "\\nAAA"] {
            let bad = try Self.object("{\"k\":\"\(text)\"}")
            #expect(throws: FormatError.field("k", .notBase64)) { _ = try bad.secret("k") }
        }
    }

    @Test(
        "What is not strict JSON, and what is above the ceiling, is refused",
        arguments: [
            "", "{", "[]", "{\"a\":1}x", "{'a':1}", "{\"a\":01}", "{\"a\":\"\u{1}\"}", "{\"a\":[1,]}",
        ])
    func strict(text: String) {
        #expect(throws: FormatError.self) { _ = try Self.object(text) }
        #expect(throws: FormatError.tooLarge(found: 7, ceiling: 6)) { _ = try Self.object(#"{"a":1}"#, ceiling: 6) }
    }

    @Test("More members or elements than wanted are refused where the one beyond stands")
    func limits() throws {
        let text = Array(#"{"a":1,"b":[1,2,3]}"#.utf8)
        let object = try JSONObject(text, ceiling: 100, memberLimit: 2)
        #expect(try object.elements("b", of: .number, limit: 3)?.count == 3)
        #expect(throws: FormatError.field("b", .tooMany(limit: 2))) { try object.elements("b", of: .number, limit: 2) }
        #expect(throws: FormatError.field("", .tooMany(limit: 1))) {
            _ = try JSONObject(text, ceiling: 100, memberLimit: 1)
        }
    }

    @Test("What is written is read back, by Foundation too")
    func writing() throws {
        var text = JSONObjectText()
        text.add("name", text: Array("a\"\\\u{1}é/".utf8))
        text.add("none", text: nil)
        text.add("data", data: [1, 2, 255])
        text.add("number", number: 817_695_221.1040374)
        text.add("whole", number: 5)
        text.add("list", texts: [Array("x".utf8)])
        text.add([JSONField(key: Array("new".utf8), value: Array("[1,{}]".utf8))])
        let parsed = try JSONSerialization.jsonObject(with: Data(text.finished)) as? [String: Any]
        #expect(parsed?["name"] as? String == "a\"\\\u{1}é/")
        #expect(parsed?["data"] as? String == "AQL/")
        #expect(parsed?["number"] as? Double == 817_695_221.1040374)
        #expect(parsed?["list"] as? [String] == ["x"])
        #expect((parsed?["new"] as? [Any])?.count == 2)
        #expect(parsed?.count == 6)
    }

    @Test("An object with secrets grows as it must and is the text that Foundation reads")
    func secretText() throws {
        var text = try SecretObjectText(capacity: 1)
        let key = try SecretBytes(copying: [UInt8](repeating: 0xFB, count: 32).span)
        try text.add("key", secret: key)
        try text.beginObject(Array("ke\"ys".utf8))
        for number in 0..<50 {
            try text.add(key: Array(String(number).utf8), secret: [UInt8](repeating: 7, count: 32).span)
        }
        try text.endObject()
        try text.add("count", integer: 3)
        let secret = try text.finish()
        let bytes = secret.withSpan { span in (0..<span.count).map { span[$0] } }
        let parsed = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        #expect(parsed?["key"] as? String == Data(repeating: 0xFB, count: 32).base64EncodedString())
        let keys = parsed?["ke\"ys"] as? [String: String]
        #expect(keys?.count == 50)
        #expect(keys?["49"] == Data(repeating: 7, count: 32).base64EncodedString())
        #expect(parsed?["count"] as? Int == 3)
        let object = try JSONObject(secret: secret, ceiling: 1 << 20)
        #expect(try Self.bytes("key", in: object) == [UInt8](repeating: 0xFB, count: 32))
    }
}
