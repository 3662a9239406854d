import Testing

@testable import SophaxCore

@Suite("A safety number")
struct SafetyNumberTests {
    @Test("of one identity is the one of the check values in each form", arguments: CheckIdentity.both)
    func checkValues(_ check: CheckIdentity) throws {
        let keys = try check.publicKeys()
        #expect(SafetyNumber.iosV0(of: keys).text == check.iosV0)
        #expect(SafetyNumber.iosV1(of: keys).text == check.iosV1)
        #expect(SafetyNumber.androidOwn(of: keys).text == check.androidOwn)
    }

    @Test("of a pair on Android differs by who looks")
    func pair() throws {
        let first = try CheckIdentity.first.publicKeys()
        let second = try CheckIdentity.second.publicKeys()
        #expect(
            SafetyNumber.androidPair(mine: first, theirs: second).text
                == "58204 15662 47453 29381 07259 05115 27403 03511 02387 62697 10020 21308")
        #expect(
            SafetyNumber.androidPair(mine: second, theirs: first).text
                == "42836 14907 03608 53619 56421 17823 54037 16174 34439 54449 16814 13095")
    }

    @Test("has as many groups as its form, and says which form it is")
    func groups() throws {
        let keys = try CheckIdentity.first.publicKeys()
        #expect(SafetyNumber.iosV0(of: keys).groups == [12559, 2102, 68762, 54115, 93340, 48812])
        #expect(SafetyNumber.iosV1(of: keys).groups.count == 6)
        #expect(SafetyNumber.androidOwn(of: keys).groups.count == 12)
        #expect(SafetyNumber.androidPair(mine: keys, theirs: keys).groups.count == 12)
        #expect(SafetyNumber.iosV0(of: keys).form == .iosV0)
        #expect(SafetyNumber.iosV1(of: keys).form == .iosV1)
        #expect(SafetyNumber.androidOwn(of: keys).form == .androidOwn)
        #expect(SafetyNumber.androidPair(mine: keys, theirs: keys).form == .androidPair)
    }

    @Test("keeps its leading zeros, and is 35 or 71 ASCII characters long")
    func text() throws {
        let keys = try CheckIdentity.second.publicKeys()
        #expect(Array(SafetyNumber.iosV0(of: keys).text.utf8).count == 35)
        #expect(Array(SafetyNumber.androidOwn(of: keys).text.utf8).count == 71)
        #expect(SafetyNumber.androidPair(mine: keys, theirs: keys).text.utf8.allSatisfy { $0 < 0x80 })
        #expect(try SafetyNumber.iosV0(of: CheckIdentity.first.publicKeys()).text.contains(" 02102 "))
    }

    @Test("changes with either key")
    func bothKeysCount() throws {
        let keys = try CheckIdentity.first.publicKeys()
        let otherSigning = try IdentityPublicKeys(signing: keys.dh, dh: keys.dh)
        let otherDH = try IdentityPublicKeys(signing: keys.signing, dh: keys.signing)
        for other in [otherSigning, otherDH] {
            #expect(SafetyNumber.iosV0(of: other) != .iosV0(of: keys))
            #expect(SafetyNumber.iosV1(of: other) != .iosV1(of: keys))
            #expect(SafetyNumber.androidOwn(of: other) != .androidOwn(of: keys))
            #expect(SafetyNumber.androidPair(mine: keys, theirs: other) != .androidPair(mine: keys, theirs: keys))
        }
    }
}
