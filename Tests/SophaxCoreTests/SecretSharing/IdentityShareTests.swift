import CryptoPrimitives
import Foundation
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("Shares of an identity")
struct IdentityShareTests {
    /// The app's structure, all of it required. SophaxChat 4.7.
    private struct SSSShare: Codable, Equatable {
        var id: String
        var index: UInt8
        var threshold: UInt8
        var total: UInt8
        var data: Data
        var createdAt: Date
    }

    private static let owner = IdentityShare.Owner(name: Array("Ana".utf8), fingerprint: fingerprint)
    private static let fingerprint: Fingerprint = {
        // The check identity's own; see CheckIdentities.
        guard let found = try? Fingerprint(bytes: bytes(hex: CheckIdentity.first.fingerprint)) else {
            preconditionFailure("no fingerprint")
        }
        return found
    }()

    private func read(_ text: String) throws -> IdentityShare { try IdentityShare.read(secret(text: text)) }

    private func split(_ threshold: Int = 3, _ total: Int = 5) throws -> [IdentityShare] {
        try IdentityShareSet.split(
            CheckIdentity.first.identity(), name: Array("Ana".utf8), threshold: threshold, total: total,
            createdAt: 796_000_000, random: .system)
    }

    /// What shares gave, as values that can be compared.
    private struct Result {
        let secret: [UInt8]
        let fingerprint: Fingerprint
        let isProven: Bool
        /// Indices of the strays.
        let strays: [UInt8]
        let owner: IdentityShare.Owner?
    }

    private func combine(
        _ shares: [IdentityShare], wanted: (Fingerprint) -> Bool = { _ in true }
    ) throws -> Result {
        let combined = try IdentityShareSet.combine(shares, wanted: wanted)
        return Result(
            secret: try IdentitySecret.of(combined.identity).exposed, fingerprint: combined.identity.fingerprint,
            isProven: combined.isProven, strays: combined.strays.map { shares[$0].index }, owner: combined.owner)
    }

    // MARK: - Shares of others

    @Test("shares that an app made give the identity, and are not called proven")
    func appShares() throws {
        let shares = try MadeShares.app.map(read)
        #expect(shares.allSatisfy { $0.owner == nil && $0.createdAt == 796_000_000.25 })
        for count in 3...5 {
            for chosen in choices(of: 5, count: count) {
                let combined = try combine(chosen.map { shares[$0] })
                #expect(combined.secret == MadeShares.secret)
                #expect(!combined.isProven)
                #expect(combined.fingerprint == Self.fingerprint)
            }
        }
    }

    @Test("shares that were made after sxkey's description of them are proven, and say whose they are")
    func describedShares() throws {
        let shares = try MadeShares.sxkey.map(read)
        for chosen in choices(of: 3, count: 2) {
            let combined = try combine(chosen.map { shares[$0] })
            #expect(combined.secret == MadeShares.secret)
            #expect(combined.isProven)
            #expect(combined.owner?.name == Array(MadeShares.name.utf8))
        }
        for (share, text) in zip(shares, MadeShares.sxkey) {
            #expect(try share.text(.sxkey).exposed == Array(text.utf8), "written as it was read")
        }
    }

    // MARK: - Own shares

    @Test("any three of five give the identity and its proof; no two do")
    func ownShares() throws {
        let shares = try split().map { try IdentityShare.read($0.text(.sxkey)) }
        for chosen in choices(of: 5, count: 3) {
            let combined = try combine(chosen.map { shares[$0] })
            #expect(combined.secret == MadeShares.secret)
            #expect(combined.isProven && combined.strays.isEmpty)
        }
        for count in 1...2 {
            for chosen in choices(of: 5, count: count) {
                #expect(throws: IdentityShareSetError.tooFew(found: count, needed: 3)) {
                    _ = try combine(chosen.map { shares[$0] })
                }
            }
        }
    }

    @Test("two shares that claim that two are enough give nothing")
    func loweredThreshold() throws {
        let shares = try split()
        for chosen in choices(of: 5, count: 2) {
            let lowered = try chosen.map { number in
                let share = shares[number]
                return IdentityShare(
                    id: share.id, index: share.index, threshold: 2, total: 5, data: try share.data.copy(),
                    createdAt: share.createdAt, owner: share.owner)
            }
            #expect(throws: IdentityShareSetError.wrong) { _ = try combine(lowered) }
        }
    }

    @Test("the app reads every form of a share, and what it writes again still proves the identity")
    func throughTheApp() throws {
        let shares = try split()
        for form in [IdentityShare.Form.app, .sxkey] {
            let passedOn = try shares.map { share in
                let text = try share.text(form).exposed
                let read = try JSONDecoder().decode(SSSShare.self, from: Data(text))
                #expect(read.index == share.index && read.threshold == 3 && read.total == 5)
                #expect(Array(read.data) == share.data.exposed)
                #expect(read.createdAt.timeIntervalSinceReferenceDate == 796_000_000)
                return try IdentityShare.read(secret(Array(try JSONEncoder().encode(read))))
            }
            #expect(passedOn.allSatisfy { $0.owner == nil })
            let combined = try combine(Array(passedOn[1..<4]))
            #expect(combined.isProven)
            #expect(combined.secret == MadeShares.secret)
        }
        let text = try shares[0].text(.app).exposed
        #expect(JSONTexts.keys(text) == ["id", "index", "threshold", "total", "data", "createdAt"])
    }

    @Test("a list is read as the keychain has it", arguments: [0, 1, 5])
    func list(count: Int) throws {
        let text = "[" + MadeShares.app.prefix(count).joined(separator: " ,\n") + "]"
        let list = try IdentityShare.readList(secret(text: text))
        #expect(list.shares.map(\.index) == (0..<count).map { UInt8($0 + 1) } && list.faults.isEmpty)
    }

    @Test("of a list the shares that can be read are read, and the others are named")
    func partOfAList() throws {
        let list = try IdentityShare.readList(
            secret(text: #"[{"data":1},\#(MadeShares.app[1]),7,\#(MadeShares.app[0].replacing("5,", with: "0,"))]"#))
        #expect(list.shares.map(\.index) == [2])
        #expect(list.faults.map(\.place) == [0, 2, 3])
        #expect(list.faults.map(\.error)[1] == .format(.field("[2]", .wrongType)))
        #expect(throws: IdentityShareError.format(.field("[0]", .wrongType))) {
            _ = try IdentityShare.readList(secret(text: "[7,8]"))
        }
    }

    @Test("a list may have as many shares as its ceiling says, one more is refused")
    func longList() throws {
        let limit = IdentityShare.maximumShares
        let most = "[" + MadeShares.app[0] + String(repeating: ",7", count: limit - 1) + "]"
        #expect(try IdentityShare.readList(secret(text: most)).faults.count == limit - 1)
        #expect(throws: IdentityShareError.self) {
            _ = try IdentityShare.readList(secret(text: most.replacing("]", with: ",7]")))
        }
    }

    @Test("at the ends of the numbers an identity is shared, one beyond not", arguments: [(2, 2), (2, 255)])
    func limits(threshold: Int, total: Int) throws {
        let shares = try split(threshold, total)
        let combined = try combine(Array(shares.suffix(threshold)))
        #expect(combined.isProven)
        #expect(throws: IdentityShareSetError.numbers(.tooManyShares(found: 256, limit: 255))) { _ = try split(2, 256) }
        #expect(throws: IdentityShareSetError.numbers(.thresholdTooSmall(found: 1))) { _ = try split(1, 5) }
        #expect(throws: IdentityShareSetError.numbers(.thresholdAboveTotal(threshold: 6, total: 5))) {
            _ = try split(6, 5)
        }
    }

    // MARK: - Faults

    @Test("every flipped bit of a share is an error")
    func bitFlips() throws {
        let shares = try split(2, 3)
        let text = try shares[0].text(.sxkey).exposed
        for bit in 0..<text.count * 8 {
            var flipped = text
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: IdentityShareError.self, "bit \(bit)") { _ = try IdentityShare.read(secret(flipped)) }
        }
    }

    @Test("every flipped bit of the data of a share without a check is an error of the set")
    func dataFlips() throws {
        let shares = try split(2, 3)
        for byte in 0..<64 {
            var data = shares[0].data.exposed
            data[byte] ^= 1 << (byte % 8)
            let changed = IdentityShare(
                id: shares[0].id, index: 1, threshold: 2, total: 3, data: try secret(data), createdAt: 0,
                owner: shares[0].owner)
            #expect(throws: IdentityShareSetError.wrong) {
                _ = try combine([changed, shares[1]])
            }
            // With one more than is needed, the damaged one is found.
            let combined = try combine([changed, shares[1], shares[2]])
            #expect(combined.isProven && combined.strays == [1])
        }
    }

    @Test("a damaged share of sxkey that an app passed on makes the set unproven, never proven")
    func damagedWithoutNotes() throws {
        let shares = try split(2, 3).map { try IdentityShare.read($0.text(.app)) }
        for byte in 0..<64 {
            var data = shares[0].data.exposed
            data[byte] ^= 1 << (byte % 8)
            let changed = IdentityShare(
                id: shares[0].id, index: 1, threshold: 2, total: 3, data: try secret(data), createdAt: 0, owner: nil)
            // It cannot be told from an app's own set: nothing is left in it that says what it should give.
            #expect(try !combine([changed, shares[1]]).isProven)
            let combined = try combine([changed, shares[1], shares[2]])
            #expect(combined.isProven && combined.strays == [1])
        }
    }

    @Test(
        "bad shares among many good ones are found, wherever they stand",
        arguments: [[0], [9], [19], [0, 1], [3, 8], [0, 5, 9]])
    func badAmongMany(bad: [Int]) throws {
        var shares = try split(10, 20).map { try IdentityShare.read($0.text(.app)) }
        for number in bad {
            shares[number] = IdentityShare(
                id: shares[0].id, index: shares[number].index, threshold: 10, total: 20,
                data: try secret([UInt8](repeating: 7, count: 64)), createdAt: 0, owner: nil)
        }
        let combined = try combine(shares)
        #expect(combined.isProven && combined.strays == bad.map { UInt8($0 + 1) })
        #expect(combined.secret == MadeShares.secret)
    }

    @Test("choices leave out none first, then one, then two; each comes once", arguments: [(5, 3), (6, 2), (4, 4)])
    func choicesInOrder(total: Int, count: Int) {
        var (all, made) = (ShareChoices(of: total, count: count), [[Int]]())
        while let choice = all.next() { made.append(choice) }
        #expect(Set(made) == Set(choices(of: total, count: count)))
        #expect(made.count == choices(of: total, count: count).count)
        #expect(made.map { $0[count - 1] } == made.map { $0[count - 1] }.sorted())
    }

    @Test("a name of any length and of any characters is shortened to what comes back")
    func names() throws {
        func made(_ name: [UInt8]) throws -> [UInt8]? {
            let shares = try IdentityShareSet.split(
                CheckIdentity.first.identity(), name: name, threshold: 2, total: 2, createdAt: 1, random: .system)
            return try IdentityShare.read(shares[0].text(.sxkey)).owner?.name
        }
        let a = UInt8(ascii: "a")
        #expect(try made([UInt8](repeating: a, count: 512)) == [UInt8](repeating: a, count: 512))
        for count in [513, 1024, 1025, 100_000] {
            #expect(try made([UInt8](repeating: a, count: count)) == [UInt8](repeating: a, count: 512))
        }
        #expect(try made([UInt8](repeating: 1, count: 1024)) == [])
        #expect(try made(Array("a\u{7F}\u{85}\nb".utf8)) == Array("ab".utf8))
        // A letter and its marks are one character; scalars are kept whole.
        let marked = try made(Array(("a" + String(repeating: "\u{0301}", count: 2000)).utf8))
        #expect(marked == Array(("a" + String(repeating: "\u{0301}", count: 255)).utf8))
        #expect(try made([UInt8](repeating: UInt8(ascii: "\""), count: 600))?.count == 512)
        #expect(try made(Array(String(repeating: "😀", count: 300).utf8))?.count == 512)
    }

    @Test("random bytes that are always the same give an error, not an empty set")
    func constantRandomness() throws {
        var failures = 0
        for byte in UInt8(1)...255 {
            let same = RandomSource(
                secret: { (count) throws(SecretMemoryError) in
                    let bytes = [UInt8](repeating: byte, count: count)
                    return try SecretBytes(copying: bytes.span)
                },
                bytes: { [UInt8](repeating: byte, count: $0) })
            do {
                let shares = try IdentityShareSet.split(
                    CheckIdentity.first.identity(), name: [], threshold: 2, total: 2, createdAt: 1, random: same)
                #expect(shares.count == 2)
            } catch IdentityShareSetError.libraryFailure {
                failures += 1
            }
        }
        // A code has a zero byte once in 16 times.
        #expect((1...60).contains(failures))
    }

    @Test("shares of two sets, a doubled one, contradictory ones and another owner's are refused")
    func sets() throws {
        let (one, other) = (try split(), try split())
        #expect(throws: IdentityShareSetError.severalSets([one[0].id, other[1].id])) {
            _ = try combine([one[0], other[1], one[2]])
        }
        #expect(throws: IdentityShareSetError.repeated(index: 2)) {
            _ = try combine([one[0], one[1], one[1]])
        }
        #expect(throws: IdentityShareSetError.noShares) { _ = try combine([]) }
        // The same id, and shares of another set behind it.
        let mixed = IdentityShare(
            id: one[0].id, index: 2, threshold: 3, total: 5, data: try other[1].data.copy(), createdAt: 0,
            owner: one[0].owner)
        #expect(throws: IdentityShareSetError.wrong) { _ = try combine([one[0], mixed, one[2]]) }
        let second = try Fingerprint(bytes: bytes(hex: CheckIdentity.second.fingerprint))
        let stranger = try one[0..<3].map { share in
            IdentityShare(
                id: share.id, index: share.index, threshold: 3, total: 5, data: try share.data.copy(), createdAt: 0,
                owner: .init(name: [], fingerprint: second))
        }
        #expect(throws: IdentityShareSetError.otherOwner(stated: second, found: Self.fingerprint)) {
            _ = try combine(stranger)
        }
        let mislabelled = try combine([one[0], stranger[1], one[2]])
        #expect(mislabelled.isProven && mislabelled.strays == [2] && mislabelled.fingerprint == Self.fingerprint)
        let short = try read(MadeShares.app[0].replacing(#""threshold":3"#, with: #""threshold":2"#))
        #expect(throws: IdentityShareSetError.contradictory) {
            _ = try combine([short, read(MadeShares.app[1])])
        }
    }

    /// Shares of another identity with the id and the numbers of a set, as a holder can make them.
    private func forged(like shares: [IdentityShare], _ indices: [UInt8]) throws -> [IdentityShare] {
        let keys = try CheckIdentity.second.identity()
        let secret = try IdentitySecret.of(keys)
        let set = try #require(ShareSetID(id: shares[0].id, threshold: shares[0].threshold, total: shares[0].total))
        guard let top = try ShareCheck.coefficient(for: secret, set, random: .system) else { throw NoShares() }
        let points = try Shamir.split(
            secret, threshold: Int(shares[0].threshold), total: Int(shares[0].total), topCoefficient: top,
            random: .system)
        return try indices.map { index in
            IdentityShare(
                id: shares[0].id, index: index, threshold: shares[0].threshold, total: shares[0].total,
                data: try points.row(Int(index) - 1), createdAt: 0, owner: nil)
        }
    }

    private struct NoShares: Error {}

    @Test("a holder's own shares with the set's id are never given in silence, and are passed over for what is wanted")
    func forgery() throws {
        let good = try split(2, 4)
        let plain = try good.map { try IdentityShare.read($0.text(.app)) }
        let second = try Fingerprint(bytes: bytes(hex: CheckIdentity.second.fingerprint))
        let evil = try forged(like: good, [1, 2])
        // In the apps' form nothing says whose a share is: what comes first comes out, and the others are strays.
        for order in [evil + Array(plain[2...3]), Array(plain[2...3]) + evil] {
            let first = try combine(order)
            #expect(first.isProven && first.strays.count == 2)
            let wanted = try combine(order) { $0 == Self.fingerprint }
            #expect(wanted.fingerprint == Self.fingerprint && wanted.strays.count == 2)
            #expect(try combine(order) { $0 == second }.fingerprint == second)
            #expect(
                throws: IdentityShareSetError.rivals([
                    .init(fingerprint: order[0].index == 1 ? second : Self.fingerprint, places: [0, 1]),
                    .init(fingerprint: order[0].index == 1 ? Self.fingerprint : second, places: [2, 3]),
                ])
            ) { _ = try combine(order) { _ in false } }
        }
        // Many of them hide nothing.
        let (many, three) = (try split(3, 20), [0, 7, 19])
        let hiding = try forged(like: many, Array(1...20)) + three.map { try IdentityShare.read(many[$0].text(.app)) }
        let found = try combine(hiding) { $0 == Self.fingerprint }
        #expect(found.fingerprint == Self.fingerprint && found.strays.count == 20)
        // One good share among them is not passed over in silence either.
        #expect(try combine(evil + [plain[2]]).strays == [3])
        // A forged share under the index of a good one is tried beside it.
        let doubled = try combine([evil[0], plain[0], plain[1]]) { $0 == Self.fingerprint }
        #expect(doubled.fingerprint == Self.fingerprint && doubled.strays == [1])
    }

    @Test("as many shares of a set are looked at as its ceiling says, one more is refused")
    func manyGiven() throws {
        let good = try split(2, 255)
        func given(_ count: Int) throws -> [IdentityShare] {
            try (0..<count).map { number in
                let bytes = [UInt8(number % 251), UInt8(number / 251)] + [UInt8](repeating: 9, count: 62)
                return IdentityShare(
                    id: good[0].id, index: UInt8(number % 255 + 1), threshold: 2, total: 255, data: try secret(bytes),
                    createdAt: 0, owner: nil)
            }
        }
        let limit = IdentityShareSet.maximumGiven
        #expect(limit == 1_020)
        #expect(throws: IdentityShareSetError.wrong) { _ = try combine(given(limit)) }
        #expect(throws: IdentityShareSetError.tooMany(found: limit + 1, limit: limit)) {
            _ = try combine(given(limit + 1))
        }
    }

    @Test("one that says other numbers or another name hinders nobody")
    func mislabelled() throws {
        let good = try split(2, 4)
        func relabelled(_ threshold: UInt8, _ total: UInt8, _ name: String) throws -> IdentityShare {
            IdentityShare(
                id: good[3].id, index: 4, threshold: threshold, total: total, data: try good[3].data.copy(),
                createdAt: 0, owner: .init(name: Array(name.utf8), fingerprint: Self.fingerprint))
        }
        for odd in [try relabelled(3, 4, "Ana"), try relabelled(2, 5, "Ana")] {
            let found = try combine([odd, good[0], good[1]])
            #expect(found.isProven && found.strays == [4])
        }
        let renamed = try combine([relabelled(2, 4, "Eve"), good[0], good[1]])
        #expect(renamed.strays == [] && renamed.owner?.name == good[0].owner?.name)
        // The same set in letters of the other case.
        let lower = IdentityShare(
            id: good[0].id.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, index: 1, threshold: 2, total: 4,
            data: try good[0].data.copy(), createdAt: 0, owner: good[0].owner)
        #expect(try combine([lower, good[1]]).isProven)
    }

    @Test("a share of an app that does not go with the others is an error even where more are given")
    func appStray() throws {
        var shares = try MadeShares.app.map(read)
        shares[3] = IdentityShare(
            id: shares[0].id, index: 4, threshold: 3, total: 5, data: try secret([UInt8](repeating: 1, count: 64)),
            createdAt: 0, owner: nil)
        #expect(throws: IdentityShareSetError.wrong) { _ = try combine(shares) }
    }

    @Test("the longest foreign name is read again after it was written in escapes")
    func escapedName() throws {
        let name = String(repeating: "\u{7F}", count: 1024)
        let share = try read(MadeShares.app[0])
        let named = IdentityShare(
            id: share.id, index: 1, threshold: 3, total: 5, data: try share.data.copy(), createdAt: 0,
            owner: .init(name: Array(name.utf8), fingerprint: Self.fingerprint))
        #expect(try IdentityShare.read(named.text(.sxkey)).owner?.name == Array(name.utf8))
    }

    @Test("index 0, a threshold of 1 or above the total, and an index above the total are refused")
    func badNumbers() throws {
        func changed(_ from: String, _ to: String) throws -> String { MadeShares.app[0].replacing(from, with: to) }
        for text in try [
            changed(#""index":1"#, #""index":0"#), changed(#""index":1"#, #""index":6"#),
            changed(#""threshold":3"#, #""threshold":1"#), changed(#""threshold":3"#, #""threshold":6"#),
            changed(#""total":5"#, #""total":2"#),
        ] {
            do {
                _ = try read(text)
                Issue.record("was taken: \(text)")
            } catch let error as IdentityShareError {
                guard case .numbers = error else { Issue.record("\(error)"); continue }
            }
        }
        #expect(throws: IdentityShareError.format(.field("index", .outOfRange))) {
            _ = try read(changed(#""index":1"#, #""index":256"#))
        }
        #expect(throws: IdentityShareError.format(.field("id", .missing))) { _ = try read(changed(#""id""#, #""iD""#)) }
    }

    @Test("fields that a later app may add are let by, a later version of sxkey's is named")
    func later() throws {
        _ = try read(MadeShares.app[0].replacing("{", with: #"{"label":"x","n":[{}],"more":{"version":1,"text":"x"},"#))
        #expect(throws: IdentityShareError.format(.field("sxkex", .unknownWord))) {
            _ = try read(MadeShares.sxkey[0].replacing(#""sxkey""#, with: #""sxkex""#))
        }
        #expect(throws: IdentityShareError.newerVersion(found: 2)) {
            _ = try read(MadeShares.sxkey[0].replacing(#""version":1"#, with: #""version":2"#))
        }
        #expect(throws: IdentityShareError.changed) {
            _ = try read(MadeShares.sxkey[0].replacing(#""threshold":2"#, with: #""threshold":3"#))
        }
        let long = String(repeating: " ", count: IdentityShare.maximumText)
        #expect(
            throws: IdentityShareError.format(.tooLarge(found: 9_216 + MadeShares.app[0].utf8.count, ceiling: 9_216))
        ) {
            _ = try read(MadeShares.app[0] + long)
        }
    }

    @Test("a manifest is written as the app reads it")
    func manifest() throws {
        struct SSSBackupManifest: Codable {
            var shareID: String
            var threshold: Int
            var holderPeerIDs: [String]
            var createdAt: Date
        }
        let manifest = ShareManifest(
            shareID: Array(MadeShares.id.utf8), threshold: 2, holders: [PeerID("ab"), PeerID("cd")],
            createdAt: 796_000_000.5)
        let read = try JSONDecoder().decode(SSSBackupManifest.self, from: Data(manifest.text))
        #expect(read.shareID == MadeShares.id && read.threshold == 2 && read.holderPeerIDs == ["ab", "cd"])
        #expect(read.createdAt.timeIntervalSinceReferenceDate == 796_000_000.5)
        #expect(try ShareManifest(Array(JSONEncoder().encode(read))) == manifest)
    }
}

/// The keys of a flat JSON object in the order of its text.
enum JSONTexts {
    static func keys(_ text: [UInt8]) -> [String] {
        let object = try? JSONObject(text, ceiling: text.count)
        return (object?.keys ?? []).map { String(decoding: $0, as: UTF8.self) }
    }
}
