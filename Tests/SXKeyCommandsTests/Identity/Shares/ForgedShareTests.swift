import CryptoPrimitives
import TestSupport
import Testing

@testable import SXKeyCommands
@testable import SophaxCore

/// A holder who is a contact, and gives shares of his own keys with the id of the set that he holds a share of.
@Suite("shares that a holder made himself")
struct ForgedShareTests {
    private let people: MadePeople
    private let good: [String]
    private let forged: [String]
    private let owner: Fingerprint

    init() throws {
        let people = try MadePeople()
        self.people = people
        let bundle = try people.writeBundle(0x80, name: "Bob", to: "Bob")
        precondition(people.run("contact", "add", bundle, "--name", "Bob").status == .success)
        let ana = try MadePeople.identity(0x00)
        owner = ana.fingerprint
        let shares = try IdentityShareSet.split(
            ana, name: Array("Ana".utf8), threshold: 2, total: 4, createdAt: 0, random: .system)
        let secret = try IdentitySecret.of(MadePeople.identity(0x80))
        let set = try #require(ShareSetID(id: shares[0].id, threshold: 2, total: 4))
        guard let top = try ShareCheck.coefficient(for: secret, set, random: .system) else { throw NoShares() }
        let points = try Shamir.split(secret, threshold: 2, total: 4, topCoefficient: top, random: .system)
        let own = try (0..<2).map { number in
            IdentityShare(
                id: shares[0].id, index: UInt8(number + 1), threshold: 2, total: 4, data: try points.row(number),
                createdAt: 0, owner: nil)
        }
        good = try shares[2...].map { try Self.write($0, "good", people) }
        forged = try own.map { try Self.write($0, "bob", people) }
    }

    private struct NoShares: Error {}

    private static func write(_ share: IdentityShare, _ name: String, _ people: MadePeople) throws -> String {
        let text = try share.text(.app)
        let file = "\(name)-\(share.index).json"
        people.folder.write(text.withSpan { bytes in bytes.indices.map { bytes[$0] } }, to: file)
        return people.folder.file(file)
    }

    private func combine(_ words: [String]) -> CommandRun {
        people.run("identity", "combine", words[0], words[1], words[2], words[3])
    }

    private var identities: String { people.run("identity", "list").output }

    @Test("a contact's own keys do not take the place of the right ones, in any order")
    func contact() {
        let before = identities
        for files in [good + forged, forged + good] {
            let run = combine(files)
            #expect(run.status == .finding && run.errors.contains("2 identities that claim one set"), "\(run.errors)")
            for name in ["good-3.json", "bob-1.json", owner.hex] { #expect(run.errors.contains(name), "\(run.errors)") }
        }
        // Beside a single good share nobody can say which is right.
        let single = people.run("identity", "combine", forged[0], forged[1], good[0])
        #expect(single.status == .finding && single.errors.contains("good-3.json"), "\(single.errors)")
        #expect(identities == before)
    }

    @Test("the identity that is expected comes out, whatever else is given")
    func expected() {
        let run = people.run(
            "identity", "combine", forged[0], forged[1], good[0], good[1], "--expect", owner.hex, "--name", "Ana")
        #expect(run.status == .someDamaged && run.output.contains("bob-1.json"), "\(run.errors)")
        #expect(identities.contains("Ana"))
    }
}
