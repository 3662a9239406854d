import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import SophaxCore

@Suite("Group messages")
struct GroupCipherTests {
    private static let sender = GroupCheck.sender
    private static let now = GroupCheck.now

    @Test("both forms of sender keys open to what another library sealed", arguments: [GroupMessageForm.bound, .plain])
    func checkValues(form: GroupMessageForm) throws {
        for iteration in GroupCheck.iterations {
            var cipher = try GroupCheck.receiver()
            let opened = try cipher.open(GroupCheck.message(iteration, form), from: Self.sender, at: Self.now)
            #expect(opened.body == GroupCheck.body)
            #expect(opened.attachment == GroupCheck.attachment)
            #expect(opened.form == form)
            #expect(opened.skipped == Int(iteration))
            #expect(cipher.position(of: Self.sender)?.iteration == iteration + 1)
        }
    }

    @Test("a message under the shared key of the first version opens, as often as it comes")
    func sharedKey() throws {
        var cipher = try GroupCipher()
        #expect(throws: GroupKeyError.noKey) { try cipher.open(GroupCheck.shared, from: Self.sender, at: Self.now) }
        _ = try cipher.receiveShared(GroupCheck.secret(GroupCheck.sharedKey), of: GroupCheck.group)
        for _ in 0..<2 {
            let opened = try cipher.open(GroupCheck.shared, from: Self.sender, at: Self.now)
            #expect(opened.body == Array("first version".utf8))
            #expect(opened.form == .sharedKey)
        }
        let sealed = try cipher.seal(GroupCheck.body, attachment: [7], as: Self.sender, form: .sharedKey)
        #expect(sealed.iteration == nil)
        let opened = try cipher.open(sealed, from: Self.sender, at: Self.now)
        #expect(opened.body == GroupCheck.body && opened.attachment == [7])
    }

    @Test("the app's own group messages open in the order in which they came", .enabled(if: SharedFolder.isThere))
    func fixture() throws {
        struct Transcript: Decodable {
            struct Message: Decodable {
                let ciphertext: Data
                let iteration: UInt32
                let plaintext: String
            }
            let groupID: String
            let senderPeerID: String
            let startChainKey: Data
            let startIteration: UInt32
            let messages: [Message]
        }
        let text = try MarchFixtures.bytes("group-sender-key.json")
        let transcript = try JSONDecoder().decode(Transcript.self, from: Data(text))
        let group = GroupID(transcript.groupID)
        let sender = GroupSender(group: group, peer: PeerID(transcript.senderPeerID))
        let startKey = Array(transcript.startChainKey)
        var fromState = try GroupCipher()
        _ = try fromState.receive(
            SenderKeyDistribution(
                groupID: group, chainKey: GroupCheck.secret(startKey), iteration: transcript.startIteration),
            from: sender.peer, at: Self.now)
        // Bob's keychain holds the same chain.
        var fromKeychain = try GroupCipher()
        let item = try #require(try MarchFixtures.item("skd.peers.\(transcript.groupID)", in: "keychain-bob"))
        try fromKeychain.loadPeers(GroupCheck.secret(item), of: group)
        for message in transcript.messages {
            let ciphertext = GroupCiphertext(iteration: message.iteration, body: Array(message.ciphertext))
            for opened in [
                try fromState.open(ciphertext, from: sender, at: Self.now),
                try fromKeychain.open(ciphertext, from: sender, at: Self.now),
            ] {
                #expect(String(decoding: opened.body, as: UTF8.self) == message.plaintext)
                #expect(opened.form == .plain)
            }
        }
        #expect(fromState.position(of: sender)?.iteration == 6)
        #expect(fromState.skippedIterations(of: sender).isEmpty)
        let own = try #require(try MarchFixtures.item("skd.mine.\(transcript.groupID)", in: "keychain-bob"))
        try fromState.loadOwn(GroupCheck.secret(own), of: group)
        #expect(fromState.ownPosition(in: group) == SenderKeyPosition(iteration: 0))
    }

    @Test("the app's message under a shared key opens", .enabled(if: SharedFolder.isThere))
    func sharedFixture() throws {
        let object = try MarchFixtures.object("group-v1-shared-key.json")
        func data(_ key: String) -> [UInt8] {
            (object[key] as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
        }
        let group = GroupID(object["groupID"] as? String ?? "")
        var cipher = try GroupCipher()
        try cipher.loadShared(GroupCheck.secret(data("key")), of: group)
        let opened = try cipher.open(
            GroupCiphertext(iteration: nil, body: data("ciphertext")),
            from: GroupSender(group: group, peer: PeerID("any")), at: Self.now)
        #expect(String(decoding: opened.body, as: UTF8.self) == "v1 group text")
    }

    @Test("messages open in any order, each once, and lost ones leave their keys behind")
    func disorder() throws {
        var author = try GroupCheck.author()
        var messages: [GroupCiphertext] = []
        for number in 0..<60 {
            messages.append(
                try author.seal(Array("message \(number)".utf8), as: Self.sender, form: number < 30 ? .plain : .bound))
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            var cipher = try GroupCheck.receiver()
            let order = (0..<60).filter { $0 % 7 != 3 }.shuffled(using: &generator)
            for number in order {
                let opened = try cipher.open(messages[number], from: Self.sender, at: Self.now)
                #expect(opened.body == Array("message \(number)".utf8))
                #expect(throws: GroupKeyError.keyGone(iteration: UInt32(number), next: nextIteration(cipher))) {
                    try cipher.open(messages[number], from: Self.sender, at: Self.now)
                }
            }
            #expect(
                cipher.skippedIterations(of: Self.sender).map(\.iteration)
                    == (0..<nextIteration(cipher)).filter { $0 % 7 == 3 })
        }
    }

    private func nextIteration(_ cipher: borrowing GroupCipher) -> UInt32 {
        cipher.position(of: Self.sender)?.iteration ?? 0
    }

    @Test("100 messages may be missing before one, 101 may not")
    func skipping() throws {
        var author = try GroupCheck.author()
        var last = try author.seal([1], as: Self.sender)
        for _ in 0..<100 { last = try author.seal([2], as: Self.sender) }
        let beyond = try author.seal([3], as: Self.sender)
        var cipher = try GroupCheck.receiver()
        let before = try cipher.stored()
        #expect(throws: GroupKeyError.tooFarAhead(skipped: 101, limit: 100)) {
            try cipher.open(beyond, from: Self.sender, at: Self.now)
        }
        #expect(try cipher.stored() == before)
        #expect(try cipher.open(last, from: Self.sender, at: Self.now).skipped == 100)
        #expect(cipher.skippedIterations(of: Self.sender).count == 100)
        #expect(try cipher.open(beyond, from: Self.sender, at: Self.now).body == [3])
    }

    @Test("200 keys of a sender are kept, and the earliest give way to more")
    func cache() throws {
        var author = try GroupCheck.author()
        var messages: [GroupCiphertext] = []
        for number in 0..<303 { messages.append(try author.seal([UInt8(number % 251)], as: Self.sender)) }
        var cipher = try GroupCheck.receiver()
        _ = try cipher.open(messages[100], from: Self.sender, at: Self.now)
        _ = try cipher.open(messages[201], from: Self.sender, at: Self.now)
        #expect(cipher.skippedIterations(of: Self.sender).count == 200)
        #expect(try cipher.open(messages[0], from: Self.sender, at: Self.now).wasSkipped)
        _ = try cipher.open(messages[203], from: Self.sender, at: Self.now)
        #expect(cipher.skippedIterations(of: Self.sender).count == 200)
        #expect(cipher.skippedIterations(of: Self.sender).first?.iteration == 1)
        _ = try cipher.open(messages[205], from: Self.sender, at: Self.now)
        #expect(cipher.skippedIterations(of: Self.sender).count == 200)
        #expect(throws: GroupKeyError.keyGone(iteration: 1, next: 206)) {
            try cipher.open(messages[1], from: Self.sender, at: Self.now)
        }
        for number in 2..<204 where number != 100 && number != 201 && number != 203 {
            #expect(try cipher.open(messages[number], from: Self.sender, at: Self.now).body == [UInt8(number % 251)])
        }
        #expect(cipher.skippedIterations(of: Self.sender).map(\.iteration) == [204])
    }

    @Test("for reading, 2,000 and 25,000 messages may be missing, and 25,001 may not")
    func farAhead() throws {
        let keys = try GroupCheck.chain(25_001)
        for skipped in [2_000, 25_000, 25_001] {
            var author = try GroupCipher()
            _ = try author.receiveOwn(GroupCheck.state(keys[skipped], at: UInt32(skipped)), of: GroupCheck.group)
            let message = try author.seal([1], as: Self.sender)
            var cipher = try GroupCheck.receiver(limits: .reading)
            guard skipped <= 25_000 else {
                #expect(throws: GroupKeyError.tooFarAhead(skipped: 25_001, limit: 25_000)) {
                    try cipher.open(message, from: Self.sender, at: Self.now)
                }
                continue
            }
            #expect(try cipher.open(message, from: Self.sender, at: Self.now).skipped == skipped)
            let kept = cipher.skippedIterations(of: Self.sender).map(\.iteration)
            let isComplete = kept == Array(0..<UInt32(skipped))
            #expect(isComplete, "\(kept.count) keys are kept")
            for number in [skipped - 7, 0, 1] {
                var author = try GroupCipher()
                _ = try author.receiveOwn(GroupCheck.state(keys[number], at: UInt32(number)), of: GroupCheck.group)
                let earlier = try author.seal([9], as: Self.sender)
                #expect(try cipher.open(earlier, from: Self.sender, at: Self.now).body == [9])
            }
        }
        #expect(GroupKeyLimits(skip: 25_001, cache: -1) == GroupKeyLimits(skip: 25_000, cache: 0))
    }

    @Test("the last number of a chain is refused, since none could follow")
    func exhausted() throws {
        var cipher = try GroupCheck.receiver(at: .max - 1)
        var author = try GroupCipher()
        _ = try author.receiveOwn(GroupCheck.state(at: .max - 1), of: GroupCheck.group)
        let last = try author.seal([1], as: Self.sender)
        #expect(last.iteration == UInt32.max - 1)
        #expect(throws: GroupKeyError.chainExhausted) { try author.seal([1], as: Self.sender) }
        #expect(try cipher.open(last, from: Self.sender, at: Self.now).body == [1])
        #expect(throws: GroupKeyError.chainExhausted) {
            try cipher.open(GroupCiphertext(iteration: .max, body: last.body), from: Self.sender, at: Self.now)
        }
    }

    @Test(
        "every changed bit of a body is refused and changes nothing", arguments: [GroupMessageForm.bound, .plain])
    func bitFlips(form: GroupMessageForm) throws {
        var cipher = try GroupCheck.receiver()
        // Number 1 is put aside, so that both ways to a key are tried: 2 with the chain, and 0 with a key put aside.
        let fresh = GroupCheck.message(2, form)
        for message in [fresh, GroupCheck.message(0, form)] {
            let before = try cipher.stored()
            for bit in 0..<message.body.count * 8 {
                var body = message.body
                body[bit / 8] ^= 1 << (bit % 8)
                let changed = GroupCiphertext(
                    iteration: message.iteration, body: body, attachment: message.attachment)
                #expect(throws: GroupKeyError.notAuthentic) {
                    try cipher.open(changed, from: Self.sender, at: Self.now)
                }
            }
            #expect(try cipher.stored() == before)
            #expect(try cipher.open(message, from: Self.sender, at: Self.now).attachment == GroupCheck.attachment)
        }
    }

    @Test(
        "a body opens although its attachment was changed in any bit, cut or put in another's place, and says so",
        arguments: [GroupMessageForm.bound, .plain])
    func damagedAttachments(form: GroupMessageForm) throws {
        let message = GroupCheck.message(2, form)
        let attachment = message.attachment ?? []
        var damaged: [[UInt8]] = [[], Array(attachment.prefix(27)), attachment + [0]]
        // Without binding a body is as good an attachment.
        if form == .bound { damaged.append(message.body) }
        damaged.append([UInt8](repeating: 0, count: GroupKeyLimits.openedLength + 1))
        damaged.append(GroupCheck.message(0, form).attachment ?? [])
        damaged.append(GroupCheck.message(2, form == .plain ? .bound : .plain).attachment ?? [])
        for bit in 0..<attachment.count * 8 {
            var changed = attachment
            changed[bit / 8] ^= 1 << (bit % 8)
            damaged.append(changed)
        }
        for box in damaged {
            var cipher = try GroupCheck.receiver()
            let opened = try cipher.open(
                GroupCiphertext(iteration: 2, body: message.body, attachment: box), from: Self.sender, at: Self.now)
            #expect(opened.body == GroupCheck.body && opened.attachment == nil && opened.isAttachmentDamaged)
            // The key of the message is used.
            #expect(throws: GroupKeyError.keyGone(iteration: 2, next: 3)) {
                try cipher.open(message, from: Self.sender, at: Self.now)
            }
        }
        var cipher = try GroupCheck.receiver()
        #expect(try !cipher.open(message, from: Self.sender, at: Self.now).isAttachmentDamaged)
    }

    @Test("a message that is bound opens for no other group, sender or number, and its parts do not change places")
    func binding() throws {
        let message = GroupCheck.message(2, .bound)
        let others = [
            GroupSender(group: GroupID("e8eeabcd-d69b-4e6d-999a-612230cbb467"), peer: Self.sender.peer),
            GroupSender(group: Self.sender.group, peer: PeerID("4619e750a2dd52ba978807b2a00df56d")),
            GroupSender(group: Self.sender.group, peer: PeerID("3619e750a2dd52ba")),
        ]
        for other in others {
            var cipher = try GroupCipher()
            _ = try cipher.receive(GroupCheck.state(), from: other, at: Self.now)
            let before = try cipher.stored()
            #expect(throws: GroupKeyError.notAuthentic) { try cipher.open(message, from: other, at: Self.now) }
            #expect(try cipher.stored() == before)
            // The same message without binding: the name says nothing.
            #expect(try cipher.open(GroupCheck.message(2, .plain), from: other, at: Self.now).body == GroupCheck.body)
        }
        var cipher = try GroupCheck.receiver()
        let (body, attachment) = (message.body, message.attachment)
        for wrong in [
            GroupCiphertext(iteration: 1, body: body), GroupCiphertext(iteration: 3, body: body),
            GroupCiphertext(iteration: 2, body: attachment ?? [], attachment: body),
        ] {
            #expect(throws: GroupKeyError.notAuthentic) { try cipher.open(wrong, from: Self.sender, at: Self.now) }
        }
        #expect(try cipher.open(message, from: Self.sender, at: Self.now).form == .bound)
    }

    @Test("every length below nonce and tag is too short, and above the largest frame too long")
    func lengths() throws {
        var cipher = try GroupCheck.receiver()
        for count in 0..<28 {
            let short = [UInt8](repeating: 0, count: count)
            for message in [
                GroupCiphertext(iteration: 0, body: short), GroupCiphertext(iteration: nil, body: short),
            ] {
                #expect(throws: GroupKeyError.tooShort(found: count)) {
                    try cipher.open(message, from: Self.sender, at: Self.now)
                }
            }
        }
        let long = GroupCiphertext(iteration: 0, body: [UInt8](repeating: 0, count: GroupKeyLimits.openedLength + 1))
        #expect(
            throws: GroupKeyError.tooLarge(
                found: GroupKeyLimits.openedLength + 1, ceiling: GroupKeyLimits.openedLength)
        ) { try cipher.open(long, from: Self.sender, at: Self.now) }
    }

    @Test("what the apps would not send is not sealed, and moves nothing")
    func sealing() throws {
        var author = try GroupCheck.author()
        let before = try author.stored()
        #expect(throws: GroupKeyError.tooLarge(found: 65_537, ceiling: 65_536)) {
            try author.seal([UInt8](repeating: 0, count: 65_537), as: Self.sender)
        }
        #expect(throws: GroupKeyError.tooLarge(found: 2_097_153, ceiling: 2_097_152)) {
            try author.seal([], attachment: [UInt8](repeating: 0, count: 2_097_153), as: Self.sender)
        }
        #expect(try author.stored() == before)
        let largest = try author.seal(
            [UInt8](repeating: 1, count: 65_536), attachment: [UInt8](repeating: 2, count: 2_097_152),
            as: Self.sender)
        var cipher = try GroupCheck.receiver()
        #expect(try cipher.open(largest, from: Self.sender, at: Self.now).attachment?.count == 2_097_152)
        var empty = try GroupCipher()
        #expect(throws: GroupKeyError.noKey) { try empty.seal([], as: Self.sender) }
        #expect(throws: GroupKeyError.noKey) { try empty.open(largest, from: Self.sender, at: Self.now) }
    }

    @Test("a member is found under the other lengths of its id, where only one fits")
    func lengthsOfIDs() throws {
        let short = GroupSender(group: GroupCheck.group, peer: PeerID("3619e750a2dd52ba"))
        var cipher = try GroupCheck.receiver()
        #expect(try cipher.open(GroupCheck.message(0, .plain), from: short, at: Self.now).body == GroupCheck.body)
        #expect(cipher.position(of: Self.sender)?.iteration == 1)
        let alike = GroupSender(group: GroupCheck.group, peer: PeerID("3619e750a2dd52baffffffffffffffff"))
        _ = try cipher.receive(GroupCheck.state(), from: alike, at: Self.now)
        #expect(throws: GroupKeyError.noKey) {
            try cipher.open(GroupCheck.message(2, .plain), from: short, at: Self.now)
        }
    }

    @Test("a skipped key opens its message for 7 days in a process that runs on, and is dropped then")
    func expiry() throws {
        let week: Double = 7 * 86_400
        for (age, opens) in [(week, true), (week + 0.001, false)] {
            var cipher = try GroupCheck.receiver()
            _ = try cipher.open(GroupCheck.message(2, .bound), from: Self.sender, at: Self.now)
            let early = GroupCheck.message(0, .bound)
            let result = Result { try cipher.open(early, from: Self.sender, at: Self.now + age) }
            if opens {
                #expect(try result.get().wasSkipped)
            } else {
                #expect(throws: GroupKeyError.keyGone(iteration: 0, next: 3)) { try result.get() }
            }
            #expect(cipher.dropExpired(at: Self.now + week) == 0)
            #expect(cipher.skippedIterations(of: Self.sender).count == (opens ? 1 : 2))
            #expect(cipher.dropExpired(at: Self.now + week + 1) == (opens ? 1 : 2))
            #expect(try cipher.skipped().isMissing)
        }
    }

    @Test("of all skipped keys no more are kept than can be read back, and those that were put aside first go")
    func total() throws {
        var cipher = try GroupCipher(limits: GroupKeyLimits(skip: 100, cache: 200, total: 250))
        var author = try GroupCheck.author()
        var last = try author.seal([1], as: Self.sender, form: .plain)
        for _ in 0..<100 { last = try author.seal([1], as: Self.sender, form: .plain) }
        for number in 0..<3 {
            let sender = GroupSender(group: GroupCheck.group, peer: PeerID("member \(number)"))
            _ = try cipher.receive(GroupCheck.state(), from: sender, at: Self.now)
            _ = try cipher.open(last, from: sender, at: Self.now + Double(number))
        }
        let counts = (0..<3).map { number in
            cipher.skippedIterations(of: GroupSender(group: GroupCheck.group, peer: PeerID("member \(number)"))).count
        }
        #expect(counts == [25, 100, 100])
        var again = try GroupCipher(limits: GroupKeyLimits(skip: 100, cache: 200, total: 100))
        let loaded = try again.loadSkipped(found(cipher.skipped()), at: Self.now)
        #expect(loaded.kept == 90 && loaded.beyondLimit == 135)
    }

    @Test("keys of hundreds of members take few guarded blocks")
    func manySenders() throws {
        var cipher = try GroupCipher()
        var senders: [GroupSender] = []
        for number in 0..<500 {
            let key = [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 0, count: 30)
            let sender = GroupSender(group: GroupCheck.group, peer: PeerID("member \(number)"))
            _ = try cipher.receive(GroupCheck.state(key), from: sender, at: Self.now)
            senders.append(sender)
        }
        for (number, sender) in senders.enumerated() {
            let key = [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 0, count: 30)
            var author = try GroupCipher()
            _ = try author.receiveOwn(GroupCheck.state(key), of: GroupCheck.group)
            for _ in 0..<20 { _ = try author.seal([], as: sender) }
            let opened = try cipher.open(author.seal([UInt8(number & 0xFF)], as: sender), from: sender, at: Self.now)
            #expect(opened.body == [UInt8(number & 0xFF)])
        }
        #expect(cipher.senders(in: GroupCheck.group).count == 500)
        cipher.remove(GroupCheck.group)
        #expect(cipher.groups.isEmpty)
        #expect(try cipher.stored().isEmpty)
    }
}
