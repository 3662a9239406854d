import Foundation
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("payloads of wire messages")
struct WirePayloadTests {
    private func payload(_ type: WireType, _ json: String) throws -> WirePayload {
        try WirePayload(type: Array(type.rawValue.utf8), payload: Array(json.utf8))
    }

    @Test("there is a specimen of every type")
    func complete() {
        #expect(Set(WireSpecimens.all.map(\.type)) == Set(WireType.allCases))
        #expect(WireSpecimens.all.count == WireType.allCases.count)
    }

    @Test(
        "what was read and written reads as the same value, with the members that are not known",
        arguments: WireType.allCases)
    func roundTrip(type: WireType) throws {
        let specimen = try #require(WireSpecimens.all.first { $0.type == type })
        let read = try payload(type, specimen.json)
        #expect(read.wireType == type)
        #expect(read.type == Array(type.rawValue.utf8))
        let written = String(decoding: read.json, as: UTF8.self)
        #expect(try payload(type, written) == read)
        // Every key of the specimen is in the text again, also of the objects inside.
        let source = try #require(JSONSerialization.jsonObject(with: Data(specimen.json.utf8)) as? NSDictionary)
        let again = try #require(JSONSerialization.jsonObject(with: Data(written.utf8)) as? NSDictionary)
        #expect(again == source)
    }

    @Test(
        "Foundation's decoder reads every payload that is written, as the apps declare it", arguments: WireType.allCases
    )
    func decodable(type: WireType) throws {
        let specimen = try #require(WireSpecimens.all.first { $0.type == type })
        let read = try payload(type, specimen.json)
        try check(specimen.app, read, specimen.json, type)
    }

    /// What the app reads of our text is what it reads of the specimen, and its own text reads as the same without what it
    /// does not know.
    private func check<Payload: AppPayload>(
        _ app: Payload.Type, _ read: WirePayload, _ specimen: String, _ type: WireType
    ) throws {
        let decoded = try JSONDecoder().decode(Payload.self, from: Data(read.json))
        #expect(try decoded == JSONDecoder().decode(Payload.self, from: Data(specimen.utf8)))
        let encoded = try JSONEncoder().encode(decoded)
        let again = try WirePayload(type: Array(type.rawValue.utf8), payload: Array(encoded))
        #expect(try JSONDecoder().decode(Payload.self, from: Data(again.json)) == decoded)
    }

    @Test("a type that is not known keeps its payload byte by byte, JSON or not")
    func unknownType() throws {
        for text in ["{ \"a\" : 1 }", "", "not JSON", "sessionNew"] {
            let read = try WirePayload(type: Array("sessionNew".utf8), payload: Array(text.utf8))
            #expect(read == .unknown(type: Array("sessionNew".utf8), payload: Array(text.utf8)))
            #expect(read.json == Array(text.utf8))
            #expect(read.type == Array("sessionNew".utf8))
            #expect(read.wireType == nil)
            // The first version's, of which only the word is known.
            let old = try WirePayload(type: Array("sessionAck".utf8), payload: Array(text.utf8))
            #expect(old == .sessionAck(payload: Array(text.utf8)) && old.wireType == .sessionAck)
            #expect(old.json == Array(text.utf8) && old.type == Array("sessionAck".utf8))
        }
        // Another spelling of the same letters is another type.
        #expect(WireType(Array("hello\u{0}".utf8)) == nil)
        #expect(WireType([0x68, 0x65, 0x6C, 0x6C, 0xFF]) == nil)
    }

    @Test("times as Android writes them stay as they are")
    func androidTimes() throws {
        let json = #"{"groupID":"g","messageID":"m","newBody":"x","editedAt":"2026-11-30T01:33:41+0000"}"#
        let read = try payload(.groupEditMessage, json)
        guard case .groupEditMessage(let edit) = read else { throw Unexpected() }
        #expect(edit.editedAt.platform == .android)
        #expect(edit.editedAt.secondsSince2001 == 817_695_221)
        #expect(String(decoding: read.json, as: UTF8.self) == json)
        #expect(WireDate(androidSecondsSince2001: 817_695_221.9) == edit.editedAt)
        #expect(WireDate(androidSecondsSince2001: 1e300) == nil)
        #expect(WireDate(secondsSince2001: .infinity) == nil)
    }

    @Test("an edit in clear is read and written as the app has it")
    func clearEdit() throws {
        let json = #"{"messageID":"M","newBody":"é","editedAt":817695221.5,"later":1}"#
        let read = try payload(.editMessage, json)
        guard case .editMessage(.clear(let edit)) = read else { throw Unexpected() }
        #expect(edit.messageID == Array("M".utf8) && edit.newBody == Array("é".utf8))
        #expect(edit.editedAt.secondsSince2001 == 817_695_221.5)
        #expect(String(decoding: read.json, as: UTF8.self) == json)
        guard case .editMessage(let payload) = read else { throw Unexpected() }
        #expect(payload.ratchetMessage == nil)
        struct AppEdit: Decodable {
            let messageID: String
            let newBody: String
            let editedAt: Date
        }
        #expect(try JSONDecoder().decode(AppEdit.self, from: Data(read.json)).newBody == "é")
    }

    @Test("an edit is read with an id around it and alone")
    func edits() throws {
        let alone = #"{"encryptedHeader":"AA==","ciphertext":"AQ=="}"#
        let read = try payload(.editMessage, alone)
        guard case .editMessage(.alone(let message)) = read else { throw Unexpected() }
        #expect(message.ciphertext == [1])
        #expect(String(decoding: read.json, as: UTF8.self) == alone)
        guard
            case .editMessage(.withID(let wrapped)) = try payload(
                .editMessage, #"{"ratchetMessage":\#(alone),"messageID":"m"}"#)
        else { throw Unexpected() }
        #expect(wrapped.ratchetMessage == message)
    }

    @Test("a relay goes on with one hop fewer, until none is left")
    func hops() throws {
        let specimen = try #require(WireSpecimens.all.first { $0.type == .relay })
        guard case .relay(var relay) = try payload(.relay, specimen.json) else { throw Unexpected() }
        relay.ttl = 6
        relay.hopCount = 0
        var passed = 0
        while let next = relay.nextHop {
            #expect(next.ttl == relay.ttl - 1)
            #expect(next.hopCount == relay.hopCount + 1)
            #expect(next.message == relay.message)
            relay = next
            passed += 1
        }
        #expect(passed == 6)
        relay.ttl = 1
        relay.hopCount = 255
        #expect(relay.nextHop == nil)
        relay.hopCount = 0
        relay.ttl = 7
        #expect(relay.nextHop == nil)
    }

    private struct Unexpected: Error {}
}
