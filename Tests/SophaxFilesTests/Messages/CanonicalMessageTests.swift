import Testing

@testable import SophaxFiles

@Suite("The canonical form of a message")
struct CanonicalMessageTests {
    private typealias S = MessageSources

    @Test("is one for all spellings of a message")
    func spellings() {
        let one = S.canonical(S.json(body: "a/b é"))
        #expect(
            one
                == #"{"body":"a/b é","direction":"received","id":"A","isEdited":false,"peerID":"b","status":"read","#
                + #""timestamp":795000001}"#)
        let others = [
            #"{"timestamp":795000001.0,"status":"read","id":"A","peerID":"b","direction":"received","body":"a\/b é"}"#,
            "{ \"id\" : \"A\",\r\n\t\"peerID\":\"\\u0062\",\"direction\":\"received\",\"body\":\"a/b \\u00e9\","
                + "\"timestamp\":7.95000001e8,\"st\\u0061tus\":\"read\",\"isEdited\":false,\"replyToID\":null,"
                + "\"reactions\":{}}",
        ]
        for other in others { #expect(S.canonical(other) == one) }
    }

    @Test("tells apart what differs in one bit or byte")
    func differences() {
        let forms = [
            S.json(), S.json(time: "795000001.0000001"), S.json(time: "-0"), S.json(time: "0"),
            S.json(body: "\u{E9}"), S.json(body: "e\u{301}"), S.json(body: "\u{FEFF}hi"), S.json(body: #"hi\u0000"#),
            S.json(body: #"\r\n"#), S.json(body: #"\n"#), S.json(body: #"\ud83d"#), S.json(body: #"\ude00"#),
            S.json(body: #"\ufffd"#), S.json(body: #"\ud83d\ude00"#), S.json(body: #"\q"#), S.json(body: #"\\u0041"#),
            S.json(extra: #","isEdited":true"#), S.json(extra: #","zz":null"#), S.json(extra: #","zz":{"b":1,"a":[]}"#),
            S.json(extra: #","zz":{"b":1,"a":[1]}"#), S.json(extra: #","readBy":[]"#),
            S.json(extra: #","readBy":["x","y"]"#), S.json(extra: #","readBy":["y","x"]"#),
        ]
        #expect(Set(forms.map { S.canonical($0).utf8.map { $0 } }).count == forms.count)
    }

    @Test("keeps bytes that are no text, and what is no JSON, as they stand")
    func brokenBytes() {
        let broken = Array(#"{"id":"A","body":"x"#.utf8) + [0xFF, 0xC0, 0x80] + Array(#"","z":fal,"n":1e999}"#.utf8)
        let form = CanonicalMessage(source: broken).bytes
        #expect(
            form
                == Array(#"{"body":"x"#.utf8) + [0xFF, 0xC0, 0x80]
                + Array(#"","id":"A","isEdited":false,"n":1e999,"z":fal}"#.utf8))
        #expect(CanonicalMessage(source: Array("{\"id\"".utf8)).bytes == Array("{\"id\"".utf8))
    }

    @Test("spells numbers by value, and whole numbers that no double holds exactly")
    func numbers() {
        for (source, form) in [
            ("1.50", "1.5"), ("1e3", "1000"), ("-0.0", "-0"), ("0e5", "0"), ("1E-7", "1e-07"),
            ("9007199254740992", "9007199254740992"), ("9007199254740993", "9007199254740993"),
            ("9223372036854775807", "9223372036854775807"), ("10000000000000000", "1e+16"), ("1e16", "1e+16"),
            ("100000000000000000000", "1e+20"), ("0.1", "0.1"), ("0.1000000000000000055511151231257827", "0.1"),
        ] {
            var text: [UInt8] = []
            CanonicalNumber.append(Array(source.utf8), to: &text)
            #expect(String(decoding: text, as: UTF8.self) == form)
        }
    }

    @Test("of Android fills in the status that Kotlin leaves out")
    func android() {
        let one = S.canonical(
            #"{"id":"a","peerID":"b","direction":"sent","body":"x","timestampMs":1770000000123}"#, platform: .android)
        #expect(
            one
                == #"{"body":"x","direction":"sent","id":"a","peerID":"b","status":"sending","timestampMs":1770000000123}"#
        )
    }

    @Test("with peer ids of one length is one for one person")
    func peerIDs() {
        let long = "3619e750a2dd52ba978807b2a00df56d"
        let short = "3619e750a2dd52ba"
        func message(_ id: String) -> String {
            S.json(
                peer: id,
                extra:
                    #","isEdited":false,"senderID":"\#(id)","readBy":["\#(id)","x"],"reactions":{"y":"1","\#(id)":"2"}"#
            )
        }
        #expect(S.canonical(message(long)) != S.canonical(message(short)))
        #expect(S.canonical(message(long), peerIDs: .short) == S.canonical(message(short)))
        let form = PeerIDForm.long(known: [.init(long)])
        #expect(S.canonical(message(short), peerIDs: form) == S.canonical(message(long)))
    }
}
