import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("Sender keys that others hand out")
struct SenderKeyIntakeTests {
    private static let sender = GroupCheck.sender
    private static let now = GroupCheck.now
    private static let other = [UInt8](repeating: 0xEE, count: 32)

    private func distribution(_ key: [UInt8], _ iteration: UInt32) throws -> SenderKeyDistribution {
        try SenderKeyDistribution(
            groupID: GroupCheck.group, chainKey: GroupCheck.secret(key), iteration: iteration)
    }

    @Test("a lower number than the known one is refused, of the same chain and of another, and changes nothing")
    func neverBackwards() throws {
        let keys = try GroupCheck.chain(10)
        var cipher = try GroupCheck.receiver(at: 10, key: keys[10])
        let before = try cipher.stored()
        for iteration in [0, 9] {
            #expect(
                throws: GroupKeyError.backwards(known: 10, offered: UInt32(iteration), sameChain: true)
            ) {
                try cipher.receive(
                    distribution(keys[iteration], UInt32(iteration)), from: Self.sender.peer, at: Self.now)
            }
            #expect(
                throws: GroupKeyError.backwards(known: 10, offered: UInt32(iteration), sameChain: false)
            ) {
                try cipher.receive(distribution(Self.other, UInt32(iteration)), from: Self.sender.peer, at: Self.now)
            }
        }
        #expect(try cipher.stored() == before)
    }

    @Test("a chain that begins anew is taken from who is asked for it, the same chain never, and skipped keys stay")
    func restart() throws {
        let keys = try GroupCheck.chain(10)
        var cipher = try GroupCheck.receiver()
        _ = try cipher.open(GroupCheck.message(2, .bound), from: Self.sender, at: Self.now)
        #expect(throws: GroupKeyError.backwards(known: 3, offered: 1, sameChain: true)) {
            try cipher.receive(distribution(keys[1], 1), from: Self.sender.peer, at: Self.now, acceptsRestart: true)
        }
        #expect(throws: GroupKeyError.backwards(known: 3, offered: 0, sameChain: false)) {
            try cipher.receive(distribution(Self.other, 0), from: Self.sender.peer, at: Self.now)
        }
        #expect(
            try cipher.receive(distribution(Self.other, 0), from: Self.sender.peer, at: Self.now, acceptsRestart: true)
                == .replaced(putAside: 0))
        var second = try GroupCipher()
        _ = try second.receiveOwn(GroupCheck.state(Self.other, at: 0), of: GroupCheck.group)
        #expect(try cipher.open(second.seal([7], as: Self.sender), from: Self.sender, at: Self.now).body == [7])
        // Late, of the chain before.
        #expect(try cipher.open(GroupCheck.message(0, .bound), from: Self.sender, at: Self.now).body == GroupCheck.body)
        // So far back that the chains cannot be told apart, nothing is taken.
        var far = try GroupCheck.receiver(at: 25_001, key: keys[10])
        #expect(throws: GroupKeyError.backwards(known: 25_001, offered: 0, sameChain: false)) {
            try far.receive(distribution(Self.other, 0), from: Self.sender.peer, at: Self.now, acceptsRestart: true)
        }
    }

    @Test("the same chain further on changes no position, for the known one opens more")
    func keepsTheEarlier() throws {
        let keys = try GroupCheck.chain(10)
        var cipher = try GroupCheck.receiver()
        #expect(
            try cipher.receive(distribution(keys[10], 10), from: Self.sender.peer, at: Self.now + 5) == .keptEarlier)
        #expect(cipher.position(of: Self.sender) == SenderKeyPosition(iteration: 0, receivedAt: Self.now + 5))
        #expect(try cipher.receive(distribution(keys[0], 0), from: Self.sender.peer, at: Self.now + 9) == .unchanged)
        #expect(cipher.position(of: Self.sender)?.receivedAt == Self.now + 9)
        #expect(try cipher.open(GroupCheck.message(2, .bound), from: Self.sender, at: Self.now).skipped == 2)
    }

    @Test("another chain takes the place of the known one, and messages before it still open")
    func replaced() throws {
        var old = try GroupCheck.author()
        var late: [GroupCiphertext] = []
        for number in 0..<5 { late.append(try old.seal([UInt8(number)], as: Self.sender)) }
        var cipher = try GroupCheck.receiver()
        _ = try cipher.open(late[0], from: Self.sender, at: Self.now)
        try old.rotateOwn(in: GroupCheck.group, at: Self.now)
        let outcome = try cipher.receive(
            old.distribution(of: GroupCheck.group), from: Self.sender.peer, at: Self.now + 1)
        #expect(outcome == .replaced(putAside: 4))
        let new = try old.seal([99], as: Self.sender)
        #expect(new.iteration == 5)
        #expect(try cipher.open(new, from: Self.sender, at: Self.now).body == [99])
        for number in [4, 1, 3, 2] {
            #expect(try cipher.open(late[number], from: Self.sender, at: Self.now).body == [UInt8(number)])
        }
        #expect(
            try cipher.receive(distribution(Self.other, 6), from: Self.sender.peer, at: Self.now)
                == .replaced(putAside: 0))
    }

    @Test("keys of the old chain are put aside as far as messages may be skipped: 100, not 101")
    func putAside() throws {
        for (iteration, kept) in [(100, 100), (101, 0)] {
            var cipher = try GroupCheck.receiver()
            let outcome = try cipher.receive(
                distribution(Self.other, UInt32(iteration)), from: Self.sender.peer, at: Self.now)
            #expect(outcome == .replaced(putAside: kept))
            #expect(cipher.skippedIterations(of: Self.sender).count == kept)
        }
        var small = try GroupCheck.receiver(limits: GroupKeyLimits(skip: 100, cache: 3))
        #expect(
            try small.receive(distribution(Self.other, 10), from: Self.sender.peer, at: Self.now)
                == .replaced(putAside: 3))
        #expect(small.skippedIterations(of: Self.sender).map(\.iteration) == [7, 8, 9])
        #expect(try small.stored()[1].isEmpty == false)
    }

    @Test("two chains of one sender with messages of both: each message opens under its own")
    func twoChains() throws {
        var second = try GroupCipher()
        _ = try second.receiveOwn(GroupCheck.state(Self.other, at: 3), of: GroupCheck.group)
        let ofSecond = try second.seal([2], as: Self.sender)
        var cipher = try GroupCheck.receiver()
        // The message came before the key that opens it.
        #expect(throws: GroupKeyError.notAuthentic) { try cipher.open(ofSecond, from: Self.sender, at: Self.now) }
        _ = try cipher.receive(distribution(Self.other, 3), from: Self.sender.peer, at: Self.now)
        #expect(try cipher.open(ofSecond, from: Self.sender, at: Self.now).body == [2])
        #expect(try cipher.open(GroupCheck.message(2, .bound), from: Self.sender, at: Self.now).body == GroupCheck.body)
    }

    @Test("one's own chain never goes back, moves on with another device's, and gives way to no other")
    func own() throws {
        let keys = try GroupCheck.chain(8)
        var cipher = try GroupCipher()
        let group = GroupCheck.group
        #expect(try cipher.receiveOwn(GroupCheck.state(keys[4], at: 4), of: group) == .added)
        #expect(try cipher.receiveOwn(GroupCheck.state(keys[4], at: 4), of: group) == .unchanged)
        #expect(throws: GroupKeyError.backwards(known: 4, offered: 2, sameChain: true)) {
            try cipher.receiveOwn(GroupCheck.state(keys[2], at: 2), of: group)
        }
        for iteration: UInt32 in [2, 4, 6] {
            #expect(throws: GroupKeyError.ownKeyExists) {
                try cipher.receiveOwn(GroupCheck.state(Self.other, at: iteration), of: group)
            }
        }
        #expect(cipher.ownPosition(in: group)?.iteration == 4)
        #expect(try cipher.receiveOwn(GroupCheck.state(keys[8], at: 8), of: group) == .advanced)
        #expect(try cipher.seal([], as: Self.sender).iteration == 8)
    }

    @Test("a new key begins at 0 with its time, counts, and is replaced with the numbers going on")
    func ownKeys() throws {
        let group = GroupCheck.group
        var cipher = try GroupCipher()
        #expect(throws: GroupKeyError.noKey) { try cipher.rotateOwn(in: group, at: Self.now) }
        try cipher.makeOwn(in: group, at: Self.now, random: randomSource(giving: GroupCheck.start))
        #expect(throws: GroupKeyError.ownKeyExists) { try cipher.makeOwn(in: group, at: Self.now) }
        #expect(
            cipher.ownPosition(in: group)
                == SenderKeyPosition(iteration: 0, messageCount: 0, createdAt: Self.now))
        let first = try cipher.distribution(of: group)
        #expect(first.iteration == 0 && first.chainKey.plain == GroupCheck.start)
        for _ in 0..<3 { _ = try cipher.seal([], as: Self.sender) }
        #expect(
            cipher.ownPosition(in: group)
                == SenderKeyPosition(iteration: 3, messageCount: 3, createdAt: Self.now))
        let later = try cipher.distribution(of: group)
        #expect(try later.iteration == 3 && later.chainKey.plain == GroupCheck.chain(3)[3])
        let old = try cipher.rotateOwn(in: group, at: Self.now + 60, random: randomSource(giving: Self.other))
        #expect(old.messageCount == 3)
        #expect(
            cipher.ownPosition(in: group)
                == SenderKeyPosition(iteration: 3, messageCount: 0, createdAt: Self.now + 60))
        let new = try cipher.distribution(of: group)
        #expect(new.iteration == 3 && new.chainKey.plain == Self.other)
    }

    @Test("a key is due at 500 messages or 7 days, and stale at 14 or 30 days, not before")
    func policy() {
        let day: Double = 86_400
        let policy = SenderKeyPolicy.later
        func own(_ count: UInt32?, _ age: Double?) -> SenderKeyPosition {
            SenderKeyPosition(iteration: 9, messageCount: count, createdAt: age.map { Self.now - $0 })
        }
        #expect(policy.rotationReason(own(499, 7 * day - 1), at: Self.now) == nil)
        #expect(policy.rotationReason(own(500, 0), at: Self.now) == .messages(500))
        #expect(policy.rotationReason(own(501, nil), at: Self.now) == .messages(501))
        #expect(policy.rotationReason(own(0, 7 * day), at: Self.now) == .age(seconds: 7 * day))
        #expect(policy.rotationReason(own(nil, 7 * day - 1), at: Self.now) == nil)
        #expect(policy.rotationReason(own(nil, nil), at: Self.now) == nil)
        #expect(policy.rotationReason(own(0, -90 * day), at: Self.now) == nil)
        for (policy, age) in [(SenderKeyPolicy.later, 14 * day), (.earlier, 30 * day)] {
            func received(_ age: Double?) -> SenderKeyPosition {
                SenderKeyPosition(iteration: 0, receivedAt: age.map { Self.now - $0 })
            }
            #expect(!policy.isStale(received(age - 1), at: Self.now))
            #expect(!policy.isStale(received(age), at: Self.now))
            #expect(policy.isStale(received(age + 1), at: Self.now))
            #expect(!policy.isStale(received(-age), at: Self.now))
            #expect(!policy.isStale(received(nil), at: Self.now))
        }
    }

    @Test(
        "a group without a name, or with a longer one than the apps take, is refused, and what is stored can be read back"
    )
    func groupNames() throws {
        var cipher = try GroupCheck.receiver()
        let before = try cipher.stored()
        for (bytes, isTaken) in [
            ([], false), (Array(repeating: UInt8(ascii: "g"), count: 65), false),
            (Array(repeating: UInt8(ascii: "g"), count: 64), true),
        ] as [([UInt8], Bool)] {
            let offered = try SenderKeyDistribution(
                groupID: GroupID(bytes: bytes), chainKey: GroupCheck.secret(Self.other), iteration: 0)
            if isTaken {
                #expect(try cipher.receive(offered, from: Self.sender.peer, at: Self.now) == .added)
            } else {
                #expect(throws: GroupKeyError.self) {
                    try cipher.receive(offered, from: Self.sender.peer, at: Self.now)
                }
                #expect(try cipher.stored() == before)
            }
        }
    }

    @Test("skipped keys under a name that is no group and member do not hide the others")
    func oddScopes() throws {
        let key = "\"keyData\":\"\(String(repeating: "A", count: 43))=\",\"storedAt\":\(Self.now)"
        let scope = String(decoding: Self.sender.scope, as: UTF8.self)
        let text = "{\"/\(Self.sender.peer.text)\":{\"1\":{\(key)}},\"\(scope)\":{\"7\":{\(key)}}}"
        var cipher = try GroupCipher()
        let loaded = try cipher.loadSkipped(GroupCheck.secret(Array(text.utf8)), at: Self.now)
        #expect(loaded.kept == 1 && loaded.withoutOwner == 1)
        #expect(cipher.skippedIterations(of: Self.sender).map(\.iteration) == [7])
    }

    @Test("an id of another length does not begin the chain anew, and a member that was taken out begins at any number")
    func sameMember() throws {
        let full = String(repeating: "0123456789abcdef", count: 4)
        let long = GroupSender(group: GroupCheck.group, peer: PeerID(bytes: Array(full.utf8.prefix(32))))
        let short = PeerID(bytes: Array(full.utf8.prefix(16)))
        var cipher = try GroupCipher()
        _ = try cipher.receive(GroupCheck.state(at: 10), from: long, at: Self.now)
        #expect(throws: GroupKeyError.backwards(known: 10, offered: 0, sameChain: false)) {
            try cipher.receive(distribution(Self.other, 0), from: short, at: Self.now)
        }
        cipher.remove(long)
        #expect(cipher.senders(in: GroupCheck.group).isEmpty)
        #expect(try cipher.receive(distribution(Self.other, 0), from: short, at: Self.now) == .added)
    }

    @Test("a chain that an app made without count and date is counted and dated by who says what time it is")
    func counting() throws {
        var cipher = try GroupCheck.author()
        _ = try cipher.seal([1], as: Self.sender)
        #expect(cipher.ownPosition(in: GroupCheck.group) == SenderKeyPosition(iteration: 1))
        for _ in 0..<2 { _ = try cipher.seal([1], as: Self.sender, at: Self.now) }
        #expect(
            cipher.ownPosition(in: GroupCheck.group)
                == SenderKeyPosition(iteration: 3, messageCount: 2, createdAt: Self.now))
    }
}
