import CryptoPrimitives
import Foundation
import JSONCoding
import Testing

@testable import SophaxCore

/// The apps' own types, as format SophaxChat 2.1 and 4.5 describe them, for Foundation's decoder with default options.
enum AppTypes {
    struct SenderKeyState: Codable, Equatable {
        let chainKey: Data
        let iteration: UInt32
        let messageCount: UInt32?
        let createdAt: Date?
        let receivedAt: Date?
    }

    struct SenderKeyDistributionMessage: Codable {
        let groupID: String
        let chainKey: Data
        let iteration: UInt32
    }

    struct SkippedKey: Codable, Equatable {
        let keyData: Data
        let storedAt: Date
    }

    struct FirstInvite: Codable {
        let groupID: String
        let groupName: String
        let memberIDs: [String]
        let creatorID: String
        let groupKeyData: Data
    }

    struct SecondInvite: Codable {
        let groupID: String
        let groupName: String
        let memberIDs: [String]
        let creatorID: String
        let groupKeyData: Data?
        let senderChainKey: Data?
        let senderIteration: UInt32?
    }

    struct ThirdInvite: Codable {
        let groupID: String
        let groupName: String
        let memberIDs: [String]
        let creatorID: String
        let senderChainKey: Data
        let senderIteration: UInt32
    }

    struct GroupInfo: Codable, Equatable {
        let id: String
        let name: String
        let memberIDs: [String]
        let creatorID: String
        var cryptoVersion: String?
        var currentCoordinatorID: String?
    }

    static func decode<T: Decodable>(_ type: T.Type, _ json: borrowing SecretBytes) throws -> T {
        try JSONDecoder().decode(type, from: Data(json.plain))
    }

    static func encode(_ value: some Encodable) throws -> SecretBytes {
        let text = Array(try JSONEncoder().encode(value))
        return try SecretBytes(copying: text.span)
    }
}

/// A secret that must be there; `#require` takes nothing that cannot be copied.
func found(_ secret: consuming SecretBytes?) throws -> SecretBytes {
    struct Missing: Error {}
    switch consume secret {
    case .some(let secret): return secret
    case .none: throw Missing()
    }
}

extension Optional where Wrapped: ~Copyable {
    var isMissing: Bool {
        switch self {
        case .some: false
        case .none: true
        }
    }
}

@Suite("Stored keys of groups")
struct GroupStateTests {
    private static let group = GroupCheck.group
    private static let now = GroupCheck.now

    private func data(_ seed: UInt8) -> Data { Data([UInt8](repeating: seed, count: 31) + [0xFF]) }

    @Test("states of members go from the app's encoder to its decoder unchanged, optional keys and all")
    func peers() throws {
        let states = [
            "a": AppTypes.SenderKeyState(
                chainKey: data(1), iteration: 0, messageCount: nil, createdAt: nil, receivedAt: nil),
            "3619e750a2dd52ba": AppTypes.SenderKeyState(
                chainKey: data(2), iteration: .max, messageCount: .max,
                createdAt: Date(timeIntervalSinceReferenceDate: 0.1),
                receivedAt: Date(timeIntervalSinceReferenceDate: 817_695_221.1040374)),
            "é\"/": AppTypes.SenderKeyState(
                chainKey: data(0xFB), iteration: 7, messageCount: 0,
                createdAt: Date(timeIntervalSinceReferenceDate: -1),
                receivedAt: Date(timeIntervalSinceReferenceDate: 1e-7)),
        ]
        var cipher = try GroupCipher()
        try cipher.loadPeers(AppTypes.encode(states), of: Self.group)
        #expect(cipher.senders(in: Self.group).count == 3)
        let written = try found(cipher.peers(of: Self.group))
        #expect(try AppTypes.decode([String: AppTypes.SenderKeyState].self, written) == states)
        var again = try GroupCipher()
        try again.loadPeers(written, of: Self.group)
        let isEqual = try found(again.peers(of: Self.group)).isEqual(to: written)
        #expect(isEqual)
    }

    @Test("an own state keeps what a newer version added, and Android's omitted number is 0")
    func own() throws {
        let key = data(3).base64EncodedString()
        let text = Array(#"{"next":{"k":"s\n"},"chainKey":"\#(key)","seed":"AAAA","createdAt":5}"#.utf8)
        var cipher = try GroupCipher()
        try cipher.loadOwn(GroupCheck.secret(text), of: Self.group)
        #expect(cipher.ownPosition(in: Self.group) == SenderKeyPosition(iteration: 0, createdAt: 5))
        let written = try found(cipher.own(of: Self.group))
        let value = try JSONSerialization.jsonObject(with: Data(written.plain)) as? NSDictionary
        var expected = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any] ?? [:]
        expected["iteration"] = 0
        #expect(value == expected as NSDictionary)
        _ = try AppTypes.decode(AppTypes.SenderKeyState.self, written)
        let single = try SenderKeyState(json: written)
        let isEqual = try single.json().isEqual(to: written)
        #expect(isEqual)
    }

    @Test("a position survives reading and writing, whatever it is")
    func positions() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let position = SenderKeyPosition(
                iteration: .random(in: 0...UInt32.max, using: &generator),
                messageCount: Bool.random(using: &generator) ? .random(in: 0...UInt32.max, using: &generator) : nil,
                createdAt: Bool.random(using: &generator) ? .random(in: -1e9...1e9, using: &generator) : nil,
                receivedAt: Bool.random(using: &generator) ? .random(in: 0...1e-3, using: &generator) : nil)
            let state = try SenderKeyState(chainKey: SecretBytes(randomCount: 32), position: position)
            let again = try SenderKeyState(json: state.json())
            #expect(again.position == position)
            let isEqual = again.chainKey.isEqual(to: state.chainKey)
            #expect(isEqual)
        }
    }

    @Test("skipped keys are written as the app reads them, and read as it writes them")
    func skipped() throws {
        let app: [String: [String: AppTypes.SkippedKey]] = [
            "\(Self.group.text)/3619e750a2dd52ba978807b2a00df56d": [
                "0": AppTypes.SkippedKey(keyData: data(1), storedAt: Date(timeIntervalSinceReferenceDate: Self.now)),
                "4294967295": AppTypes.SkippedKey(
                    keyData: data(2), storedAt: Date(timeIntervalSinceReferenceDate: Self.now - 0.25)),
            ],
            "a/b/c": [
                "17": AppTypes.SkippedKey(keyData: data(3), storedAt: Date(timeIntervalSinceReferenceDate: Self.now))
            ],
        ]
        var cipher = try GroupCipher()
        let loaded = try cipher.loadSkipped(AppTypes.encode(app), at: Self.now)
        #expect(loaded.kept == 3 && loaded.expired == 0 && loaded.beyondLimit == 0)
        let written = try found(cipher.skipped())
        #expect(try AppTypes.decode([String: [String: AppTypes.SkippedKey]].self, written) == app)
        #expect(cipher.groups == [Self.group, GroupID("a/b")])
        let one = try found(cipher.skipped(of: [GroupID("a/b")]))
        #expect(try AppTypes.decode([String: [String: AppTypes.SkippedKey]].self, one).keys.sorted() == ["a/b/c"])
        #expect(try cipher.skipped(of: [GroupID("other")]).isMissing)
    }

    @Test("skipped keys of exactly 7 days are kept, older ones dropped, and the earliest beyond 200")
    func skippedLimits() throws {
        let week: Double = 7 * 86_400
        var list: [String: AppTypes.SkippedKey] = [:]
        for number in 0..<203 {
            let age = number == 202 ? week + 0.001 : number == 201 ? week : 10
            list["\(number)"] = AppTypes.SkippedKey(
                keyData: data(UInt8(number)), storedAt: Date(timeIntervalSinceReferenceDate: Self.now - age))
        }
        var cipher = try GroupCipher()
        let loaded = try cipher.loadSkipped(AppTypes.encode(["\(Self.group.text)/p": list]), at: Self.now)
        #expect(loaded.kept == 200 && loaded.expired == 1 && loaded.beyondLimit == 2)
        let kept = cipher.skippedIterations(of: GroupSender(group: Self.group, peer: PeerID("p"))).map(\.iteration)
        #expect(kept == Array(2...201))
        var later = try GroupCipher()
        #expect(try later.loadSkipped(AppTypes.encode(["\(Self.group.text)/p": list]), at: Self.now + week).kept == 0)
        #expect(try later.skipped().isMissing)
    }

    @Test("a time in the future counts from now on, and for reading nothing is too old")
    func skippedTimes() throws {
        let key = data(1).base64EncodedString()
        func text(_ time: Double) throws -> SecretBytes {
            try GroupCheck.secret(Array(#"{"g/p":{"1":{"keyData":"\#(key)","storedAt":\#(time)}}}"#.utf8))
        }
        let sender = GroupSender(group: GroupID("g"), peer: PeerID("p"))
        var future = try GroupCipher()
        #expect(try future.loadSkipped(text(Self.now + 1e9), at: Self.now).kept == 1)
        #expect(future.skippedIterations(of: sender).map(\.storedAt) == [Self.now])
        #expect(future.dropExpired(at: Self.now + 7 * 86_400 + 1) == 1)
        for time in [-1e9, 0, Self.now + 1e9] {
            var old = try GroupCipher(limits: .reading)
            #expect(try old.loadSkipped(text(time), at: Self.now).kept == 1)
            #expect(old.dropExpired(at: Self.now + 1e9) == 0)
            #expect(old.skippedIterations(of: sender).map(\.storedAt) == [time])
        }
    }

    @Test("loading never moves a known chain back, and one's own gives way to no other")
    func loadedTwice() throws {
        let keys = try GroupCheck.chain(5)
        var cipher = try GroupCheck.receiver(at: 3, key: keys[3])
        func peers(_ iteration: Int) throws -> SecretBytes {
            try AppTypes.encode([
                GroupCheck.sender.peer.text: AppTypes.SenderKeyState(
                    chainKey: Data(keys[iteration]), iteration: UInt32(iteration), messageCount: nil, createdAt: nil,
                    receivedAt: nil)
            ])
        }
        try cipher.loadPeers(peers(1), of: GroupCheck.group)
        #expect(cipher.position(of: GroupCheck.sender)?.iteration == 3)
        try cipher.loadPeers(peers(5), of: GroupCheck.group)
        #expect(cipher.position(of: GroupCheck.sender)?.iteration == 5)
        var own = try GroupCipher()
        _ = try own.receiveOwn(GroupCheck.state(keys[3], at: 3), of: GroupCheck.group)
        #expect(throws: GroupKeyError.backwards(known: 3, offered: 1, sameChain: true)) {
            try own.loadOwn(GroupCheck.state(keys[1], at: 1).json(), of: GroupCheck.group)
        }
        #expect(throws: GroupKeyError.ownKeyExists) {
            try own.loadOwn(GroupCheck.state(keys[1], at: 9).json(), of: GroupCheck.group)
        }
        try own.loadOwn(GroupCheck.state(keys[5], at: 5).json(), of: GroupCheck.group)
        #expect(own.ownPosition(in: GroupCheck.group)?.iteration == 5)
    }

    @Test("distributions and invitations keep what a newer version added")
    func unknownMembers() throws {
        let key = data(4).base64EncodedString()
        for (text, isInvite) in [
            (#"{"groupID":"g","later":{"k":[1,"s"]},"chainKey":"\#(key)","iteration":9,"seed":"AAAA"}"#, false),
            (
                #"{"groupID":"g","groupName":"n","memberIDs":["a"],"creatorID":"a","senderChainKey":"\#(key)","#
                    + #""senderIteration":3,"mls":"AQ==","later":null}"#, true
            ),
        ] {
            let secret = try GroupCheck.secret(Array(text.utf8))
            let written =
                isInvite ? try GroupInvite(json: secret).json() : try SenderKeyDistribution(json: secret).json()
            let value = try JSONSerialization.jsonObject(with: Data(written.plain)) as? NSDictionary
            #expect(try value == JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
        }
    }

    @Test("messages open with keys that were put aside, stored and loaded again")
    func skippedAgain() throws {
        var first = try GroupCheck.receiver()
        _ = try first.open(GroupCheck.message(2, .bound), from: GroupCheck.sender, at: Self.now)
        var second = try GroupCipher()
        try second.loadSkipped(found(first.skipped()), at: Self.now)
        // Without the chain: what was put aside opens by itself.
        let opened = try second.open(GroupCheck.message(0, .bound), from: GroupCheck.sender, at: Self.now)
        #expect(opened.body == GroupCheck.body && opened.wasSkipped)
        #expect(throws: GroupKeyError.noKey) {
            try second.open(GroupCheck.message(2, .bound), from: GroupCheck.sender, at: Self.now)
        }
    }

    @Test("texts that are not what the format says are refused, and what was known stays")
    func malformed() throws {
        let key = data(1).base64EncodedString()
        var cipher = try GroupCheck.receiver()
        let before = try cipher.stored()
        for text in [
            "", "[]", "{", #"{"p":1}"#, #"{"p":{}}"#, #"{"p":{"chainKey":"AAAA","iteration":0}}"#,
            #"{"p":{"chainKey":"\#(key)","iteration":-1}}"#, #"{"p":{"chainKey":"\#(key)","iteration":4294967296}}"#,
            #"{"p":{"chainKey":"\#(key)","iteration":1.5}}"#, #"{"p":{"chainKey":"\#(key)","createdAt":"x"}}"#,
            #"{"p":{"chainKey":"\#(key)","iteration":1},"p":{"chainKey":"\#(key)","iteration":2}}"#,
            #"{"p":{"chainKey":"\#(key)","iteration":1},"q":{"chainKey":"*","iteration":2}}"#,
        ] {
            let secret = try GroupCheck.secret(Array(text.utf8))
            #expect(performing: { try cipher.loadPeers(secret, of: Self.group) }, throws: Self.isFormatError)
        }
        for text in ["", "[]", "{", #"{"g/p":{}"#, #"{"g/p":{},"g/p":{}}"#] {
            let secret = try GroupCheck.secret(Array(text.utf8))
            #expect(
                performing: { try cipher.loadSkipped(secret, at: Self.now) }, throws: Self.isFormatError)
        }
        #expect(try cipher.stored() == before)
        let good = #""9":{"keyData":"\#(key)","storedAt":800000000}"#
        for bad in [
            #""x":{}"#, #""-1":{"keyData":"\#(key)","storedAt":800000000}"#,
            #""4294967296":{"keyData":"\#(key)","storedAt":800000000}"#, #""1":{"storedAt":800000000}"#,
            #""1":{"keyData":"\#(key)"}"#, #""1":{"keyData":"AA==","storedAt":800000000}"#, #""1":7"#,
        ] {
            var cipher = try GroupCipher()
            let text = #"{"g/p":{\#(bad),\#(good)},"g/q":[],"g/r":{\#(good)}}"#
            let loaded = try cipher.loadSkipped(GroupCheck.secret(Array(text.utf8)), at: Self.now)
            #expect(loaded.kept == 2 && loaded.unreadable == 2, "\(bad)")
            let sender = GroupSender(group: GroupID("g"), peer: PeerID("p"))
            #expect(cipher.skippedIterations(of: sender).map(\.iteration) == [9])
        }
        #expect(throws: GroupKeyError.keyLength(found: 31)) {
            try cipher.loadShared(SecretBytes(count: 31), of: Self.group)
        }
    }

    private static func isFormatError(_ error: any Error) -> Bool {
        guard case .format = error as? GroupKeyError else { return false }
        return true
    }

    @Test("errors name the place of a value and no key")
    func errors() throws {
        let key = data(1).base64EncodedString()
        var cipher = try GroupCipher()
        let text = #"{"peer":{"chainKey":"\#(key)AAAA","iteration":0}}"#
        let error = #expect(throws: GroupKeyError.self) {
            try cipher.loadPeers(GroupCheck.secret(Array(text.utf8)), of: Self.group)
        }
        #expect(error == .format(.field("peer.chainKey", .notBase64)))
    }

    @Test("distributions and invitations of all versions are read, and what is written the app's decoders read")
    func handedOut() throws {
        let app = AppTypes.SenderKeyDistributionMessage(groupID: "g", chainKey: data(4), iteration: 9)
        let distribution = try SenderKeyDistribution(json: AppTypes.encode(app))
        #expect(distribution.groupID == GroupID("g") && distribution.iteration == 9)
        let written = try AppTypes.decode(AppTypes.SenderKeyDistributionMessage.self, distribution.json())
        #expect(written.chainKey == data(4) && written.iteration == 9 && written.groupID == "g")
        let android = #"{"groupID":"g","chainKey":"\#(data(4).base64EncodedString())"}"#
        #expect(try SenderKeyDistribution(json: GroupCheck.secret(Array(android.utf8))).iteration == 0)

        let members = ["a", "b"]
        let first = try GroupInvite(
            json: AppTypes.encode(
                AppTypes.FirstInvite(
                    groupID: "g", groupName: "Fam", memberIDs: members, creatorID: "a", groupKeyData: data(5))))
        #expect(first.sender.isMissing && !first.sharedKey.isMissing)
        #expect(try AppTypes.decode(AppTypes.FirstInvite.self, first.json()).groupKeyData == data(5))
        let second = try GroupInvite(
            json: AppTypes.encode(
                AppTypes.SecondInvite(
                    groupID: "g", groupName: "Fam", memberIDs: members, creatorID: "a", groupKeyData: data(5),
                    senderChainKey: data(6), senderIteration: 3)))
        let both = try AppTypes.decode(AppTypes.SecondInvite.self, second.json())
        #expect(both.groupKeyData == data(5) && both.senderChainKey == data(6) && both.senderIteration == 3)
        let none = try GroupInvite(
            json: AppTypes.encode(
                AppTypes.SecondInvite(
                    groupID: "g", groupName: "Fam", memberIDs: members, creatorID: "a", groupKeyData: nil,
                    senderChainKey: nil, senderIteration: nil)))
        #expect(none.sender.isMissing && none.sharedKey.isMissing)
        let third = try GroupInvite(
            json: AppTypes.encode(
                AppTypes.ThirdInvite(
                    groupID: "g", groupName: "Fam", memberIDs: members, creatorID: "a", senderChainKey: data(6),
                    senderIteration: 3)))
        #expect(third.memberIDs.map(\.text) == members && third.name == Array("Fam".utf8))
        #expect(try AppTypes.decode(AppTypes.ThirdInvite.self, second.json()).senderIteration == 3)
        #expect(try AppTypes.decode(AppTypes.ThirdInvite.self, third.json()).senderIteration == 3)
        var cipher = try GroupCheck.author()
        _ = try cipher.seal([], as: GroupCheck.sender)
        let own = try cipher.invite(
            to: Self.group, name: Array("Fam \"é\"".utf8), memberIDs: [GroupCheck.sender.peer],
            creatorID: GroupCheck.sender.peer)
        let read = try AppTypes.decode(AppTypes.ThirdInvite.self, own.json())
        #expect(read.senderIteration == 1 && read.groupName == "Fam \"é\"")
        #expect(try Array(read.senderChainKey) == GroupCheck.chain(1)[1])
    }

    @Test("an invitation is refused as the app refuses it: 100 members, ids of 64 characters, the creator's own")
    func invitations() throws {
        func invite(_ members: Int, _ length: Int) -> GroupInvite {
            let ids = (0..<members).map { _ in PeerID(String(repeating: "é", count: length)) }
            return GroupInvite(
                groupID: Self.group, name: [], memberIDs: ids, creatorID: PeerID("a"), sender: nil)
        }
        #expect(invite(100, 64).refusal(sender: PeerID("a")) == nil)
        #expect(invite(101, 1).refusal(sender: PeerID("a")) == .tooManyMembers(found: 101))
        #expect(invite(1, 65).refusal(sender: PeerID("a")) == .idTooLong(found: 65))
        #expect(invite(1, 1).refusal(sender: PeerID("b")) == .notFromCreator)
        let (fits, isTooLong) = (String(repeating: "é", count: 64), String(repeating: "é", count: 65))
        func named(_ group: String, _ creator: String) -> GroupInvite.Refusal? {
            GroupInvite(groupID: GroupID(group), name: [], memberIDs: [], creatorID: PeerID(creator), sender: nil)
                .refusal(sender: PeerID(creator))
        }
        #expect(named(fits, fits) == nil)
        #expect(named(isTooLong, fits) == .groupIDTooLong(found: 65))
        #expect(named(fits, isTooLong) == .creatorIDTooLong(found: 65))
    }

    @Test("a group's record has four keys or six, keeps others, and MLS is told by its state too")
    func groupInfo() throws {
        let four = AppTypes.GroupInfo(id: "g", name: "Fam/é", memberIDs: ["a", "b"], creatorID: "a")
        var six = four
        six.cryptoVersion = "mls"
        six.currentCoordinatorID = "b"
        for app in [four, six] {
            let text = Array(try JSONEncoder().encode(app))
            let info = try GroupInfo(json: text)
            #expect(try JSONDecoder().decode(AppTypes.GroupInfo.self, from: Data(info.json)) == app)
            #expect(info.isMLS(hasState: false) == (app == six))
            #expect(info.isMLS(hasState: true))
        }
        let newer = Array(
            #"{"id":"g","name":"n","memberIDs":[],"creatorID":"a","cryptoVersion":"skv3","avatar":[1, 2]}"#.utf8)
        let info = try GroupInfo(JSONObject(newer, ceiling: 4096))
        #expect(info.cryptography == .other(Array("skv3".utf8)))
        #expect(try GroupInfo(JSONObject(info.json, ceiling: 4096)) == info)
        #expect(String(decoding: info.json, as: UTF8.self).contains(#""avatar":[1, 2]"#))
        let long = [UInt8](repeating: 0x20, count: GroupInfo.longestText + 1)
        #expect(throws: FormatError.tooLarge(found: long.count, ceiling: GroupInfo.longestText)) {
            try GroupInfo(json: long)
        }
        #expect(GroupID(conversation: Array("group.g".utf8)) == info.id)
        #expect(GroupID(conversation: Array("group.".utf8)) == nil)
        #expect(info.id.conversation == Array("group.g".utf8))
    }
}

@Suite("Stored keys of groups that are not loaded, and many of them")
struct UnloadedGroupKeyTests {
    private static let now = GroupCheck.now

    @Test("skipped keys that cannot be read, or have no owner, are stored again as they stand")
    func verbatim() throws {
        let key = Data(repeating: 9, count: 32).base64EncodedString()
        let good = #"{"keyData":"\#(key)","storedAt":5}"#
        let text =
            #"{"g/p":{"1":\#(good),"x":{"k":[1]},"2":"odd\n"},"nobody":{"3":\#(good)},"h/p":[1,2],"k/p":{"7":null}}"#
        var cipher = try GroupCipher(limits: .reading)
        let loaded = try cipher.loadSkipped(GroupCheck.secret(Array(text.utf8)), at: Self.now)
        #expect(loaded.kept == 1 && loaded.withoutOwner == 1 && loaded.unreadable == 4)
        func object(_ json: borrowing SecretBytes) throws -> NSDictionary? {
            try JSONSerialization.jsonObject(with: Data(json.plain)) as? NSDictionary
        }
        let before = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        #expect(try object(found(cipher.skipped())) == before)
        // Of chosen groups, theirs only.
        let one = try object(found(cipher.skipped(of: [GroupID("h")])))
        #expect(one == ["h/p": [1, 2]])
        cipher.remove(GroupSender(group: GroupID("g"), peer: PeerID("p")))
        #expect(try object(found(cipher.skipped()))?.count == 3)
    }

    @Test("a sender is found by group and by the digits that its ids share, until it is taken out")
    func table() {
        var table = SenderTable<Int>()
        let (short, long) = (PeerID("3619e750a2dd52ba"), PeerID("3619e750a2dd52ba978807b2a00df56d"))
        let (a, b) = (GroupID("A"), GroupID("B"))
        table[GroupSender(group: a, peer: long)] = 1
        table[GroupSender(group: b, peer: long)] = 2
        table[GroupSender(group: a, peer: PeerID("Bob"))] = 3
        #expect(Set(table.groups) == [a, b] && table.count == 3)
        #expect(table.samePerson(as: GroupSender(group: a, peer: short)) == [GroupSender(group: a, peer: long)])
        #expect(table.samePerson(as: GroupSender(group: a, peer: PeerID("Bo"))).isEmpty)
        #expect(table.senders(in: a).count == 2)
        table[GroupSender(group: a, peer: long)] = nil
        #expect(table.samePerson(as: GroupSender(group: a, peer: short)).isEmpty && table.senders(in: a).count == 1)
        #expect(table.removeValue(forKey: GroupSender(group: b, peer: long)) == 2)
        #expect(Set(table.groups) == [a] && table.removeValue(forKey: GroupSender(group: b, peer: long)) == nil)
        table.update(GroupSender(group: b, peer: short), from: 5) { $0 += 1 }
        #expect(table[GroupSender(group: b, peer: short)] == 6 && table.senders(in: b).count == 1)
    }

    @Test("messages that do not open cost no more steps of a chain than are granted, and short gaps stay open")
    func walk() throws {
        let limits = GroupKeyLimits(skip: 1_000, cache: 1_000, walk: 2_500)
        var cipher = try GroupCheck.receiver(limits: limits)
        let forged = GroupCiphertext(iteration: 1_000, body: [UInt8](repeating: 0, count: 40))
        for _ in 0..<2 {
            #expect(throws: GroupKeyError.notAuthentic) {
                try cipher.open(forged, from: GroupCheck.sender, at: Self.now)
            }
        }
        #expect(throws: GroupKeyError.tooFarAhead(skipped: 1_000, limit: 100)) {
            try cipher.open(forged, from: GroupCheck.sender, at: Self.now)
        }
        let opened = try cipher.open(GroupCheck.message(100, .bound), from: GroupCheck.sender, at: Self.now)
        #expect(opened.body == GroupCheck.body)
        #expect(GroupKeyLimits(skip: 1, cache: 1, walk: .max).walk == GroupKeyLimits.highestWalk)
    }

    @Test("a chain at the last number is not taken, for nothing could take its place")
    func lastNumber() throws {
        var cipher = try GroupCipher()
        #expect(throws: GroupKeyError.chainExhausted) {
            try cipher.receive(GroupCheck.state(at: .max), from: GroupCheck.sender, at: Self.now)
        }
        #expect(cipher.groups.isEmpty)
    }
}
