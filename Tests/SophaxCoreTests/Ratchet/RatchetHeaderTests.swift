import Foundation
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("Header of a ratchet message")
struct RatchetHeaderTests {
    private func header(_ key: [UInt8], _ previous: UInt32, _ number: UInt32) throws -> RatchetHeader {
        try #require(RatchetHeader(senderRatchetKey: key, previousChainLength: previous, messageNumber: number))
    }

    @Test("is read from what Foundation writes, and Foundation reads what is written")
    func foundation() throws {
        for (key, previous, number) in [
            ([UInt8](repeating: 0xFF, count: 32), UInt32(0), UInt32(0)), (Array(0..<32), 1, 4_294_967_295),
            ([UInt8](repeating: 0, count: 32), .max, 10),
        ] {
            let header = try header(key, previous, number)
            let app = AppHeader(senderRatchetKey: Data(key), previousChainLength: previous, messageNumber: number)
            for _ in 0..<10 { #expect(RatchetHeader(text: Array(try JSONEncoder().encode(app))) == header) }
            let pretty = JSONEncoder()
            pretty.outputFormatting = .prettyPrinted
            #expect(RatchetHeader(text: Array(try pretty.encode(app))) == header)
            #expect(try JSONDecoder().decode(AppHeader.self, from: Data(header.json)) == app)
            let beginning = RatchetHeader.beginning(ratchetKey: key, previousChainLength: previous)
            #expect(beginning + Array("\(number)}".utf8) == header.json)
            // One of the spellings is what Foundation writes now, as it must have been then.
            #expect(header.spellings.contains(Array(try JSONEncoder().encode(app))))
            #expect(header.spellings.count == 12)
            #expect(Set(header.spellings.map { RatchetHeader(text: $0) }) == [header])
        }
        #expect(RatchetHeader(senderRatchetKey: [1], previousChainLength: 0, messageNumber: 0) == nil)
    }

    @Test("unusual spellings of the same object are read as a JSON decoder reads them")
    func unusual() throws {
        let key = Data(0..<32).base64EncodedString()
        let expected = try header(Array(0..<32), 7, 9)
        for text in [
            #"{"senderRatchetKey":"\#(key)","previousChainLength":7,"messageNumber":9,"later":[1,{"x":null}]}"#,
            #"{"s\u0065nderRatchetKey":"\#(key)","previousChainLength":7,"messageNumber":9}"#,
            #"{"senderRatchetKey":"\u0041\#(key.dropFirst())","previousChainLength":7,"messageNumber":9}"#,
            #" { "messageNumber" : 9.0 , "previousChainLength" : 7e0 , "senderRatchetKey" : "\#(key)" } "#,
        ] {
            #expect(RatchetHeader(text: Array(text.utf8)) == expected, "\(text)")
        }
    }

    @Test("everything else is none, and the longest text is 1,024 bytes")
    func refused() throws {
        let key = Data(0..<32).base64EncodedString()
        let good = #"{"senderRatchetKey":"\#(key)","previousChainLength":7,"messageNumber":9}"#
        #expect(RatchetHeader(text: Array(good.utf8)) != nil)
        let bad: [String] = [
            "", "{", "{}", good + ",", good + good, String(good.dropLast()), String(good.dropFirst()),
            good.replacingOccurrences(of: "7", with: "07"), good.replacingOccurrences(of: "7", with: "-7"),
            good.replacingOccurrences(of: "7", with: "7.5"), good.replacingOccurrences(of: "9}", with: "4294967296}"),
            good.replacingOccurrences(of: "9}", with: "99999999999}"), good.replacingOccurrences(of: "7", with: "null"),
            good.replacingOccurrences(of: ",\"messageNumber\":9", with: ""),
            good.replacingOccurrences(of: "messageNumber", with: "previousChainLength"),
            good.replacingOccurrences(of: "=", with: ""), good.replacingOccurrences(of: "AAEC", with: "A-EC"),
            good.replacingOccurrences(of: "AAEC", with: ""), good.replacingOccurrences(of: "\"AAEC", with: "5,\"AAEC"),
            good.replacingOccurrences(of: "AAEC", with: "AA\\EC"),
            good.replacingOccurrences(of: "AAEC", with: "AA\u{1}C"),
        ]
        for text in bad { #expect(RatchetHeader(text: Array(text.utf8)) == nil, "\(text)") }
        let padding = String(repeating: " ", count: 1_024 - good.utf8.count)
        #expect(RatchetHeader(text: Array((padding + good).utf8)) != nil)
        #expect(RatchetHeader(text: Array((padding + " " + good).utf8)) == nil)
    }

    @Test("a message is read from what Foundation writes, and Foundation reads what is written")
    func messages() throws {
        let app = AppMessage(encryptedHeader: Data([0xFF, 0xFE, 0xFF]), ciphertext: Data(0..<200))
        let read = try RatchetMessage(JSONObject(Array(JSONEncoder().encode(app)), ceiling: 4_096))
        #expect(read == app.message)
        #expect(try JSONDecoder().decode(AppMessage.self, from: Data(read.json)) == app)
        let text = Array(#"{"ciphertext":"AA==","new":[1],"encryptedHeader":"AQ=="}"#.utf8)
        let later = try RatchetMessage(JSONObject(text, ceiling: 4_096))
        #expect(
            String(decoding: later.json, as: UTF8.self) == #"{"encryptedHeader":"AQ==","ciphertext":"AA==","new":[1]}"#)
        for (text, field) in [
            (#"{"ciphertext":"AA=="}"#, "encryptedHeader"), (#"{"encryptedHeader":"AA=="}"#, "ciphertext"),
            (#"{"header":{},"ciphertext":"AA=="}"#, "header.senderRatchetKey"),
        ] {
            #expect(throws: FormatError.field(field, .missing)) {
                _ = try RatchetMessage(JSONObject(Array(text.utf8), ceiling: 4_096))
            }
        }
    }

    @Test("associated data sorts the ids by bytes; the check value of the format document, 12")
    func associatedData() throws {
        let (first, second) = (PeerID("3619e750a2dd52ba978807b2a00df56d"), PeerID("ce04d757588b607db7dd1e31c428b180"))
        let expected = "3619e750a2dd52ba978807b2a00df56dce04d757588b607db7dd1e31c428b180SophaxChat_v1"
        #expect(AssociatedData.between(first, second) == Array(expected.utf8))
        #expect(AssociatedData.between(second, first) == Array(expected.utf8))
        #expect(AssociatedData.between(first, first) == first.bytes + first.bytes + Array("SophaxChat_v1".utf8))
        let fingerprints = try CheckIdentity.both.map { try $0.publicKeys().fingerprint }
        let short = "3619e750a2dd52bace04d757588b607dSophaxChat_v1"
        #expect(
            AssociatedData.candidates(fingerprints[1], fingerprints[0]) == [Array(expected.utf8), Array(short.utf8)])
    }
}
