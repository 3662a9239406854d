import CommandKit
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("objects and arrays have commas between, none after, and the order of writing")
    func structure() {
        let written = text { json in
            json.object { json in
                json.member("z", 1)
                json.member("a") { json in
                    json.array { json in
                        json.value(true)
                        json.null()
                        json.object { _ in }
                        json.array { _ in }
                        json.array([1, 2]) { json, number in json.value(number) }
                    }
                }
                json.member("n", nil as String?)
                json.member("raw") { $0.raw(Array("{ \"x\": 1.0 }".utf8)) }
                json.member("last", "x")
            }
        }
        #expect(written == #"{"z":1,"a":[true,null,{},[],[1,2]],"n":null,"raw":{ "x": 1.0 },"last":"x"}"#)
    }

    @Test(
        "text escapes what it must and nothing else",
        arguments: [
            ("a\"b\\c/", #""a\"b\\c/""#), ("\n\r\t\u{8}\u{c}", #""\n\r\t\b\f""#),
            ("\u{0}\u{1f}\u{7f}", "\"\\u0000\\u001f\u{7f}\""),
            ("caf\u{e9} \u{1f600} \u{2028}\u{feff}", "\"caf\u{e9} \u{1f600} \u{2028}\u{feff}\""), ("", "\"\""),
        ])
    func strings(value: String, written: String) {
        #expect(text { $0.value(value) } == written)
        #expect(text { $0.value(Array(value.utf8)) } == written)
    }

    @Test("a key is escaped as well")
    func keys() {
        #expect(text { $0.object { $0.member("a\"\n", 1) } } == #"{"a\"\n":1}"#)
    }

    @Test("bytes that are no UTF-8 become replacement characters")
    func repaired() {
        #expect(text { $0.value([0x61, 0xff, 0x62] as [UInt8]) } == "\"a\u{fffd}b\"")
    }

    @Test(
        "a double reads back as the same bits",
        arguments: [
            0, 0.1, 1, -1.5, 1e21, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 784_111_777.123456,
            1_700_000_000.123456, 1 / 3,
        ] as [Double])
    func doubles(number: Double) {
        let written = text { $0.value(number) }
        #expect(Double(written)?.bitPattern == number.bitPattern)
        #expect(!written.hasSuffix("."))
    }

    @Test("what JSON has no number for is null", arguments: [Double.nan, .infinity, -.infinity])
    func noNumber(number: Double) {
        #expect(text { $0.value(number) } == "null")
    }

    @Test("whole numbers of any size")
    func integers() {
        #expect(text { $0.value(UInt64.max) } == "18446744073709551615")
        #expect(text { $0.value(Int.min) } == "-9223372036854775808")
    }

    @Test("it can be taken in pieces")
    func pieces() {
        var json = JSONWriter()
        var all: [UInt8] = []
        json.array { json in
            for number in 0..<5 {
                json.value(number)
                all += json.takeBytes()
            }
        }
        all += json.takeBytes()
        #expect(String(decoding: all, as: UTF8.self) == "[0,1,2,3,4]")
    }
}
