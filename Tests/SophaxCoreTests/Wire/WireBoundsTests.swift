import CryptoPrimitives
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("bounds of wire messages")
struct WireBoundsTests {
    private func problem(_ type: WireType, _ json: String) -> FormatError? {
        do throws(FormatError) {
            _ = try WirePayload(type: Array(type.rawValue.utf8), payload: Array(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// Base64 of so many zeros.
    private func data(_ count: Int) -> String {
        String(repeating: "AAAA", count: count / 3) + ["", "AA==", "AAA="][count % 3]
    }

    @Test("texts are taken up to their limit, and not one byte beyond")
    func texts() {
        let cases: [(WireType, Int, String, (String) -> String)] = [
            (.typing, 0, "", { _ in #"{"isTyping":true}"# }),
            (.ack, WireLimits.idBytes, "messageID", { #"{"messageID":"\#($0)","status":"failed"}"# }),
            (.reaction, WireLimits.wordBytes, "emoji", { #"{"targetMessageID":"m","emoji":"\#($0)"}"# }),
            (.dhtPing, WireLimits.peerIDBytes, "senderNodeID", { #"{"senderNodeID":"\#($0)"}"# }),
            (
                .channelAnnouncement, WireLimits.nameBytes, "groupName",
                { #"{"groupID":"g","groupName":"\#($0)","creatorID":"c","memberCount":1,"timestamp":1}"# }
            ),
        ]
        for (type, limit, field, json) in cases {
            #expect(problem(type, json(text(limit))) == nil, "\(field)")
            guard limit > 0 else { continue }
            #expect(
                problem(type, json(text(limit + 1))) == .field(field, .tooLong(limit: limit, found: limit + 1)),
                "\(field)")
        }
    }

    @Test("bytes in base64 are taken up to their limit, and not one byte beyond")
    func bytes() {
        func groupMessage(_ cipher: Int, _ attachment: Int, _ avatar: Int) -> String {
            #"{"groupID":"g","messageID":"m","senderPeerID":"p","senderUsername":"u","timestamp":1,"ciphertext":""#
                + data(cipher) + #"","attachmentCiphertext":""# + data(attachment) + #"","senderAvatarData":""#
                + data(avatar) + "\"}"
        }
        // Longer than any app sends, and read by the apps all the same.
        let body = 3 * WireLimits.textBytes
        let file = WireLimits.fileBytes + WireLimits.boxOverhead
        #expect(WireLimits.textBytes == 65_536)
        #expect(WireLimits.fileBytes == 2_097_152)
        #expect(problem(.groupMessage, groupMessage(body, file, WireLimits.avatarBytes)) == nil)
        let edit = { (count: Int) in
            #"{"groupID":"g","messageID":"m","newBody":"\#(self.text(count))","editedAt":1}"#
        }
        #expect(problem(.groupEditMessage, edit(body)) == nil)
        #expect(problem(.editMessage, #"{"messageID":"m","newBody":"\#(text(body))","editedAt":1}"#) == nil)
        #expect(
            problem(.groupMessage, groupMessage(30, file + 1, 1))
                == .field("attachmentCiphertext", .tooLong(limit: file, found: file + 1)))
        #expect(
            problem(.groupMessage, groupMessage(30, 30, WireLimits.avatarBytes + 1))
                == .field(
                    "senderAvatarData", .tooLong(limit: WireLimits.avatarBytes, found: WireLimits.avatarBytes + 1)))
        let share = { (key: Int, share: Int) in
            #"{"shareID":"s","ephemeralPublicKey":"\#(data(key))","encryptedShare":"\#(data(share))"}"#
        }
        #expect(problem(.sssShareResponse, share(32, WireLimits.shareBytes)) == nil)
        #expect(
            problem(.sssShareResponse, share(32, WireLimits.shareBytes + 1))
                == .field("encryptedShare", .tooLong(limit: WireLimits.shareBytes, found: WireLimits.shareBytes + 1)))
        for wrong in [0, 31, 33] {
            #expect(
                problem(.sssShareResponse, share(wrong, 1))
                    == .field("ephemeralPublicKey", .wrongLength(expected: 32, found: wrong)))
        }
        let mls = WireLimits.mlsAttachmentBytes + WireLimits.mlsOverhead
        let mlsMessage = { (count: Int) in
            #"{"groupID":"g","messageID":"m","senderPeerID":"p","senderUsername":"u","timestamp":1,"ciphertext":"","#
                + #""attachmentCiphertext":""# + self.data(count) + "\"}"
        }
        #expect(problem(.mlsMessage, mlsMessage(mls)) == nil)
        #expect(
            problem(.mlsMessage, mlsMessage(mls + 1))
                == .field("attachmentCiphertext", .tooLong(limit: mls, found: mls + 1)))
    }

    @Test("lists are taken up to their limit, and not one element beyond")
    func lists() {
        func members(_ count: Int, _ id: String = "p") -> String {
            let list = Array(repeating: "\"\(id)\"", count: count).joined(separator: ",")
            return #"{"groupID":"g","leavingPeerID":"p","remainingMemberIDs":[\#(list)]}"#
        }
        #expect(problem(.groupMemberLeft, members(100)) == nil)
        #expect(problem(.groupMemberLeft, members(101)) == .field("remainingMemberIDs", .tooMany(limit: 100)))
        #expect(problem(.groupMemberLeft, members(1, text(64))) == nil)
        #expect(
            problem(.groupMemberLeft, members(1, text(65)))
                == .field("remainingMemberIDs", .tooLong(limit: 64, found: 65)))
        func receipts(_ count: Int) -> String {
            #"{"messageIDs":[\#(Array(repeating: "\"m\"", count: count).joined(separator: ","))]}"#
        }
        #expect(problem(.readReceipt, receipts(WireLimits.receiptMessages)) == nil)
        #expect(
            problem(.readReceipt, receipts(WireLimits.receiptMessages + 1))
                == .field("messageIDs", .tooMany(limit: WireLimits.receiptMessages)))
        func nodes(_ count: Int) -> String {
            let node = #"{"nodeID":"n","onionAddress":"o","port":1}"#
            return #"{"closestNodes":[\#(Array(repeating: node, count: count).joined(separator: ","))]}"#
        }
        #expect(problem(.dhtFindNodeResp, nodes(WireLimits.dhtNodes)) == nil)
        #expect(
            problem(.dhtFindNodeResp, nodes(WireLimits.dhtNodes + 1))
                == .field("closestNodes", .tooMany(limit: WireLimits.dhtNodes)))
        func delivery(_ count: Int) -> String {
            let item = #"{"messageID":"m","sealed":{"ephemeralPublicKey":"\#(data(32))","encryptedPayload":""}}"#
            return #"{"items":[\#(Array(repeating: item, count: count).joined(separator: ","))]}"#
        }
        #expect(problem(.storeAndForwardDelivery, delivery(WireLimits.deliveryItems)) == nil)
        #expect(
            problem(.storeAndForwardDelivery, delivery(WireLimits.deliveryItems + 1))
                == .field("items", .tooMany(limit: WireLimits.deliveryItems)))
        func fields(_ count: Int) -> String {
            "{\"isTyping\":true" + (1..<count).map { ",\"k\($0)\":\($0)" }.joined() + "}"
        }
        #expect(problem(.typing, fields(WireLimits.members)) == nil)
        #expect(problem(.typing, fields(WireLimits.members + 1)) == .field("", .tooMany(limit: WireLimits.members)))
        // Objects inside too, whatever they are: the reader stops where the limit is.
        func inner(_ count: Int) -> String {
            let members = (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",")
            return #"{"bundle":{\#(members)}}"#
        }
        #expect(problem(.hello, inner(WireLimits.members)) == .field("bundle.signingKeyPublic", .missing))
        #expect(
            problem(.hello, inner(WireLimits.members + 1)) == .field("bundle.", .tooMany(limit: WireLimits.members)))
    }

    @Test("numbers are taken within their range, whole")
    func numbers() {
        func relay(_ ttl: String, _ hops: String = "0") -> String {
            #"{"id":"r","targetPeerID":"a","originPeerID":"b","ttl":\#(ttl),"hopCount":\#(hops),"#
                + #""message":{"type":"x","payload":"","senderID":"s","timestamp":1,"signature":""}}"#
        }
        // More than 6 hops are read, as the apps read them; such a message goes no further.
        for good in ["0", "6", "6.0", "6e0", "7", "255"] { #expect(problem(.relay, relay(good)) == nil) }
        for bad in ["256", "-1", "1.5", "1e300", "18446744073709551616"] {
            #expect(problem(.relay, relay(bad)) == .field("ttl", .outOfRange))
        }
        #expect(problem(.relay, relay("1", "255")) == nil)
        #expect(problem(.relay, relay("1", "256")) == .field("hopCount", .outOfRange))
        let commit = { (epoch: String) in #"{"groupID":"g","epoch":\#(epoch),"commitBytes":"","coordinatorID":"c"}"# }
        #expect(problem(.mlsCommit, commit("18446744073709551615")) == nil)
        #expect(problem(.mlsCommit, commit("18446744073709551616")) == .field("epoch", .outOfRange))
        let node = { (port: String) in #"{"closestNodes":[{"nodeID":"n","onionAddress":"o","port":\#(port)}]}"# }
        #expect(problem(.dhtFindNodeResp, node("65535")) == nil)
        #expect(problem(.dhtFindNodeResp, node("65536")) == .field("closestNodes[0].port", .outOfRange))
        // A number that no double holds is no JSON for the parser.
        for time in ["1e400", "\"soon\"", "\"2026-11-30T25:33:41Z\""] {
            #expect(problem(.remoteWipe, #"{"requestID":"r","issuedAt":\#(time)}"#) != nil)
        }
    }

    @Test("wrong types, words, repeated and missing members are named")
    func wrong() {
        #expect(problem(.ack, #"{"messageID":"m","status":"lost"}"#) == .field("status", .unknownWord))
        #expect(problem(.ack, #"{"messageID":"m"}"#) == .field("status", .missing))
        #expect(problem(.ack, #"{"messageID":"m","status":null}"#) == .field("status", .missing))
        #expect(problem(.ack, #"{"messageID":1,"status":"failed"}"#) == .field("messageID", .wrongType))
        #expect(
            problem(.ack, #"{"messageID":"m","messageID":"n","status":"failed"}"#)
                == .field("messageID", .repeated))
        #expect(
            problem(.ack, #"{"messageID":"m","message\u0049D":"n","status":"failed"}"#)
                == .field("messageID", .repeated))
        #expect(problem(.readReceipt, #"{"messageIDs":["a",1]}"#) == .field("messageIDs", .wrongType))
        #expect(
            problem(.mlsCommitRequest, #"{"groupID":"g","action":"\#("a\u{301}")dd"}"#)
                == .field("action", .unknownWord))
        #expect(
            problem(.sealed, #"{"ephemeralPublicKey":"AA-_","encryptedPayload":""}"#)
                == .field("ephemeralPublicKey", .notBase64))
        for text in ["", "[]", "null", "{", "{}x", "\u{FEFF}{}"] {
            guard case .notJSON = problem(.typing, text) else {
                Issue.record("taken: \(text)")
                continue
            }
        }
    }

    @Test("nesting beyond measure, and megabytes of brackets, are errors and take no time")
    func nesting() {
        let depth = 200_000
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        guard case .notJSON = problem(.typing, #"{"isTyping":true,"deep":\#(nested)}"#) else {
            Issue.record("taken")
            return
        }
        let open = String(repeating: "{\"a\":", count: 100_000)
        guard case .notJSON = problem(.typing, open) else {
            Issue.record("taken")
            return
        }
        func relays(_ depth: Int) -> [UInt8] {
            let member = #"{"type":"relay","payload":"e30=","senderID":"s","timestamp":1,"signature":"","x":"#
            return Array((String(repeating: member, count: depth) + "1" + String(repeating: "}", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try WireMessage(json: relays(30)) }
        #expect(throws: FormatError.self) { try WireMessage(json: relays(5_000)) }
    }

    @Test("an envelope is bounded as well")
    func envelopes() {
        func envelope(_ word: String = "ack", sender: String = "s", signature: String = "", payload: String = "")
            -> FormatError?
        {
            let json =
                #"{"type":"\#(word)","payload":"\#(payload)","senderID":"\#(sender)","timestamp":1,"#
                + #""signature":"\#(signature)"}"#
            do throws(FormatError) {
                _ = try WireMessage(json: Array(json.utf8))
                return nil
            } catch {
                return error
            }
        }
        #expect(envelope(text(64), sender: text(64), signature: data(1_024)) == nil)
        #expect(envelope(text(65)) == .field("type", .tooLong(limit: 64, found: 65)))
        #expect(envelope(sender: text(65)) == .field("senderID", .tooLong(limit: 64, found: 65)))
        #expect(envelope(signature: data(1_025)) == .field("signature", .tooLong(limit: 1_024, found: 1_025)))
        let large = [UInt8](repeating: 0x20, count: WireLimits.messageBytes + 1)
        #expect(throws: FormatError.tooLarge(found: large.count, ceiling: WireLimits.messageBytes)) {
            try WireMessage(json: large)
        }
        #expect(throws: FormatError.tooLarge(found: large.count, ceiling: WireLimits.messageBytes)) {
            try MessageContent(json: SecretBytes(copying: large.span))
        }
    }
}
