import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles
import Testing

@testable import PortableBundle

@Suite("Documents of private items")
struct ItemsDocumentTests {
    private static let values: [[UInt8]] = [
        [], [0], [0xFF, 0xFE, 0xFD], Array(0...255), [UInt8](repeating: 0xFB, count: 32),
    ]

    private func document(_ head: DocumentHead = DocumentHead()) throws -> SecretText {
        var writer = try ItemsWriter(.identity, head: head)
        for (index, value) in Self.values.enumerated() {
            var item = BundleItem(Array("account \"\(index)\" é".utf8), changedAt: Double(index) + 0.1)
            if index == 1 { (item.madeAt, item.replacedAt, item.publishedAt) = (1, 2.5, -3) }
            try writer.add(item, SecretBytes(copying: value.span))
        }
        return try writer.finished()
    }

    @Test("every item comes back with its bytes, its name and its times")
    func roundTrip() throws {
        let read = try ItemsDocument(try document().frozen(), .identity)
        let listing = try read.listing()
        #expect(listing.map(\.account) == Self.values.indices.map { Array("account \"\($0)\" é".utf8) })
        #expect(listing.map(\.changedAt) == Self.values.indices.map { Double($0) + 0.1 })
        #expect(listing[1].madeAt == 1 && listing[1].replacedAt == 2.5 && listing[1].publishedAt == -3)
        #expect(listing[2].madeAt == nil)
        for (index, value) in Self.values.enumerated() {
            let found = try read.value(at: index)
            let isSame = found.isEqual(to: value.span)
            #expect(isSame)
        }
        let (third, other) = (try read.value(of: "account \"3\" é")?.count, try read.value(of: "other")?.count)
        #expect(third == 256 && other == nil)
    }

    @Test("the text is what other programs read as JSON with base64")
    func text() throws {
        var head = DocumentHead()
        head.name = Array("Ana".utf8)
        head.createdAt = 1.5
        var writer = try ItemsWriter(.identity, head: head)
        try writer.add(BundleItem(Array("spk.1".utf8)), SecretBytes(copying: [0xFB, 0xEF].span))
        let text = try writer.finished()
        let expected =
            #"{"format":"sxkey-identity","version":1,"name":"Ana","createdAt":1.5,"#
            + #""items":[{"account":"spk.1","value":"++8="}]}"#
        let bytes = text.withSpan { text in text.indices.map { text[$0] } }
        #expect(bytes == Array(expected.utf8))
    }

    private func error(_ text: String, _ part: BundlePart = .identity) throws -> DocumentError? {
        do {
            let read = try ItemsDocument(PlaintextBuffer(copying: Array(text.utf8)), part)
            _ = try read.listing()
            for index in 0..<read.count { _ = try read.value(at: index) }
            return nil
        } catch let error as DocumentError {
            return error
        }
    }

    @Test("an item twice, one without a value, and one that is not base64 are refused")
    func refused() throws {
        func text(_ items: String) -> String { #"{"format":"sxkey-identity","version":1,"items":[\#(items)]}"# }
        #expect(try error(text(#"{"account":"a","value":""}"#)) == nil)
        let twice = #"{"account":"a","value":""},{"account":"a","value":"AA=="}"#
        #expect(try error(text(twice)) == .repeatedKey(document: "identity.json", key: "a"))
        #expect(try error(text(#"{"account":"a"}"#)) == .missing(document: "identity.json", key: "value"))
        for value in ["A", "AA", "AAA", "A-==", "AB==", " AA==", "AA==\\n"] {
            let found = try error(text(#"{"account":"a","value":"\#(value)"}"#))
            #expect(found == .wrong(document: "identity.json", key: "value"), "\(value)")
        }
        #expect(try error(text(#"{"account":7,"value":""}"#)) == .wrong(document: "identity.json", key: "account"))
        // A session is taken as stale, and what is about people not from everybody: neither comes in by another document.
        for account in ["session.ab", "stale.session.ab", "verified.peers", "linked.devices"] {
            let found = try error(text(#"{"account":"\#(account)","value":""}"#))
            #expect(found == .wrong(document: "identity.json", key: "account"), "\(account)")
        }
        let people = #"{"format":"sxkey-contacts","version":1,"items":[{"account":"verified.peers","value":""}]}"#
        #expect(try error(people, .contacts) == nil)
        let sessions = #"{"format":"sxkey-sessions","version":1,"items":[{"account":"spk.1","value":""}]}"#
        #expect(try error(sessions, .sessions) == .wrong(document: "sessions.json", key: "account"))
        #expect(try error(text(#""a""#)) == .wrong(document: "identity.json", key: "items"))
        #expect(try error(text(""), .groups) == .otherFormat(document: "groups.json"))
    }

    @Test("a person keeps keys, marks, times and history")
    func contacts() throws {
        let keys = try IdentityPublicKeys(
            signing: [UInt8](repeating: 1, count: 32), dh: [UInt8](repeating: 2, count: 32))
        var head = DocumentHead()
        head.contacts = [
            ContactRecord(
                name: Array("B\u{202E}ob".utf8), isBlocked: true, addedAt: 1.25, onion: "x.onion", port: 65_535,
                cardPeerID: nil,
                keys: [
                    .init(
                        keys: keys, firstSeen: 1, lastSeen: 2, isCurrent: true, replacedAt: nil, origin: "card",
                        peerIDs: [Array("aa".utf8)],
                        mark: .init(
                            form: "ios", number: "1 2", markedAt: 3, byIdentity: [UInt8](repeating: 9, count: 32))),
                    .init(
                        keys: keys, firstSeen: -1, lastSeen: 0.1 + 0.2, isCurrent: false, replacedAt: 4,
                        origin: "backup",
                        peerIDs: [], mark: nil),
                ],
                events: [.init(at: 1, what: "added", from: nil, to: [0x41], form: nil, number: nil, origin: [0x42])]),
            ContactRecord(
                name: [0x43], isBlocked: false, addedAt: 0, cardPeerID: Array("08c4cab788bd5f92".utf8), keys: [],
                events: []),
        ]
        head.peers = [
            #"{"id":"a", "x":1.50}"#, #"{"id":"b","x":1e999}"#, "{\"id\":\"c\",\n\"x\":[1,]}", #"{"id":"d"}x"#,
            #"{"id":\#(String(repeating: "[", count: 500))\#(String(repeating: "]", count: 500))}"#,
        ].map { Array($0.utf8) }
        var writer = try ItemsWriter(.contacts, head: head)
        try writer.add(BundleItem(Array("peer.aliases".utf8)), SecretBytes(copying: [1].span))
        let read = try ItemsDocument(try writer.finished().frozen(), .contacts)
        #expect(read.head.contacts == head.contacts)
        #expect(read.head.peers == head.peers)
        let untrusted = head.contacts[0].withoutTrust(at: 77)
        #expect(untrusted.keys.count == 1 && untrusted.keys[0].mark == nil && untrusted.events.isEmpty)
        #expect(untrusted.keys[0].firstSeen == 77 && untrusted.keys[0].lastSeen == 77 && untrusted.addedAt == 77)
        #expect(head.contacts[0].hasTrust && !head.contacts[1].hasTrust && !untrusted.hasTrust)
    }

    @Test(
        "the parts have the items that the apps name so",
        arguments: [
            ("spk.1", BundlePart.preKeys), ("spk.current_id", .preKeys), ("otpk.7", .preKeys), ("pqspk.3", .preKeys),
            ("skd.mine.G", .groups), ("group.key.G", .groups), ("mls.state.G", .groups), ("session.ab", .sessions),
            ("session.mac_key", .sessions), ("stale.session.ab", .sessions), ("verified.peers", .contacts),
            ("peer.aliases", .contacts), ("identity.signing", .identity), ("storage.master", .identity),
            ("storage.master.before-2026-01-01", .identity), ("something.new", .identity),
            ("verified.peers2", .identity),
        ])
    func parts(account: String, part: BundlePart) {
        #expect(BundlePart(ofAccount: Array(account.utf8)) == part)
    }
}
