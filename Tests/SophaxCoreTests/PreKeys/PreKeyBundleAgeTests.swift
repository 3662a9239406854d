import Testing

@testable import SophaxCore

@Suite("age of a bundle")
struct PreKeyBundleAgeTests {
    private func accepted(_ seconds: Double) -> [Bool] {
        let age = PreKeyBundleAge(of: 1000, at: 1000 + seconds)
        return [
            age.isAccepted(.day, .eitherDirection), age.isAccepted(.day, .pastOnly),
            age.isAccepted(.hour, .eitherDirection), age.isAccepted(.hour, .pastOnly),
        ]
    }

    @Test("each limit is exclusive, and only the later rule refuses the future")
    func limits() {
        #expect(accepted(0) == [true, true, true, true])
        #expect(accepted(3599.5) == [true, true, true, true])
        #expect(accepted(3600) == [true, true, false, false])
        #expect(accepted(86_399) == [true, true, false, false])
        #expect(accepted(86_400) == [false, false, false, false])
        #expect(accepted(-0.5) == [true, false, true, false])
        #expect(accepted(-3600) == [true, false, false, false])
        #expect(accepted(-86_400) == [false, false, false, false])
    }

    @Test("refused by all is beyond the longest limit, in either direction")
    func refused() {
        for seconds in [86_400.0, -86_400, 1e300, -1e300] {
            #expect(PreKeyBundleAge(of: 0, at: seconds).isRefusedByAll)
        }
        for seconds in [86_399.0, -86_399, 0] { #expect(!PreKeyBundleAge(of: 0, at: seconds).isRefusedByAll) }
        #expect(PreKeyBundleAge(of: 1, at: 0).isInFuture && !PreKeyBundleAge(of: 1, at: 1).isInFuture)
    }
}

@Suite("policy of prekeys")
struct PreKeyPolicyTests {
    private let policy = PreKeyPolicy.standard

    @Test("a signed prekey is replaced after seven days, one from the future is not")
    func rotation() {
        #expect(!policy.isRotationDue(created: 0, now: 604_799))
        #expect(policy.isRotationDue(created: 0, now: 604_800))
        #expect(!policy.isRotationDue(created: 1e9, now: 0))
    }

    @Test("one-time prekeys are filled up to twenty when fewer than ten are left")
    func refilling() {
        #expect([0, 1, 9, 10, 19, 20, 40].map(policy.missingOneTime(available:)) == [20, 19, 11, 0, 0, 0, 0])
    }

    @Test("earlier signed prekeys go after the grace period, but never the last five, and none of unknown age")
    func expiry() {
        let day: Double = 86_400
        let now = 100 * day
        // Rotated five times in one minute: nothing goes.
        #expect(policy.expired(replacedAt: (0..<5).map { now - Double($0) * 10 }, now: now).isEmpty)
        // Long ago: the last five stay even so.
        let old = (0..<7).map { Optional(Double($0) * day) }
        #expect(policy.expired(replacedAt: old, now: now) == [0, 1])
        // Many within the grace period: all stay.
        #expect(policy.expired(replacedAt: (0..<50).map { now - Double($0) }, now: now).isEmpty)
        #expect(policy.expired(replacedAt: old + [nil], now: now) == [0, 1])
        // A clock set back removes nothing.
        #expect(policy.expired(replacedAt: old, now: -now).isEmpty)
        let exactly = [0.0] + [Double](repeating: now, count: 5)
        #expect(policy.expired(replacedAt: exactly, now: policy.gracePeriod) == [0])
        #expect(policy.expired(replacedAt: exactly, now: policy.gracePeriod - 1).isEmpty)
    }
}
