import Foundation
import Keyring
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("identity import of keychain items")
struct KeychainItemTests {
    private let specimen: KeyringSpecimen

    init() throws {
        specimen = try KeyringSpecimen()
    }

    /// Bob of the check values (format SophaxChat 12) with these items beside his keys.
    private static func keychain(_ items: [String: [UInt8]]) throws -> Data {
        var all = items.mapValues { Data($0).base64EncodedString() }
        all["identity.signing"] = Data(0x40...0x5F).base64EncodedString()
        all["identity.dh"] = Data(0x60...0x7F).base64EncodedString()
        all["user.username"] = Data("Bob".utf8).base64EncodedString()
        return try JSONSerialization.data(withJSONObject: all)
    }

    private static let key = [UInt8](repeating: 7, count: 32)
    private static let items: [String: [UInt8]] = [
        "storage.master": key, "session.mac_key": key, "group.key.E8EE": key, "otpk.7": key, "keylog.mac": key,
        "skd.mine.E8EE": Array(#"{"chainKey":"\#(Data(key).base64EncodedString())","iteration":2}"#.utf8),
        "skd.skipped.all": Array("{}".utf8), "verified.peers": Array("{}".utf8), "linked.devices": Array("[]".utf8),
        "settings.applock": [1], "settings.lock_pin_s": Array(key.prefix(16)), "mls.state.E8EE": [0, 1, 2, 255],
    ]

    private func json(_ run: CommandRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
    }

    @Test("every kind comes in and goes out again with the same bytes, and the counts add up")
    func roundTrip() throws {
        var items = Self.items
        items["an app's own \u{e9}"] = [0xFF, 0]
        specimen.folder.write([UInt8](try Self.keychain(items)), to: "bob.json")
        let run = specimen.run("identity", "import", "@bob.json", "--json")
        #expect(run.status == .success, "\(run.errors)")
        let counts = try #require(try json(run)["items"] as? [String: Any])
        #expect(counts["read"] as? Int == items.count + 3)
        #expect((counts["added"] as? [String])?.count == items.count + 3)
        #expect(counts["unknown"] as? [String] == ["an app's own \u{e9}"])
        #expect((counts["unusual"] as? [Any])?.isEmpty == true)

        let out = specimen.run(
            "identity", "export", "Bob", "--format", "keychain-json", "--reveal", "--out", "@out.json")
        #expect(out.status == .success, "\(out.errors)")
        let written = try #require(
            try JSONSerialization.jsonObject(with: Data(fileBytes(specimen.folder.file("out.json")) ?? []))
                as? [String: String])
        let read = try #require(
            try JSONSerialization.jsonObject(with: try Self.keychain(items)) as? [String: String])
        #expect(written == read)

        let again = try json(specimen.run("identity", "import", "@out.json", "--json"))
        let same = try #require(again["items"] as? [String: Any])
        #expect((same["equal"] as? [String])?.count == items.count + 3)
        #expect((same["added"] as? [String])?.isEmpty == true && (same["different"] as? [String])?.isEmpty == true)
    }

    @Test("what is not as an app reads it is named, kept byte for byte, and a finding")
    func unusual() throws {
        var items = Self.items
        items["settings.applock"] = [2]
        items["verified.peers"] = Array("[]".utf8)
        items["otpk.8"] = [1, 2, 3]
        specimen.folder.write([UInt8](try Self.keychain(items)), to: "bob.json")
        let run = specimen.run("identity", "import", "@bob.json")
        #expect(run.status == .finding)
        #expect(run.output.contains("settings.applock: it is neither 0 nor 1; kept as it is"))
        #expect(run.output.contains("otpk.8: it has 3 bytes, not 32; kept as it is"))
        #expect(run.output.contains("verified.peers: it is not the JSON that belongs there (byte 0); kept as it is"))
        #expect(run.output.contains("16 read: 16 added · 0 there already · 0 kept, other than in the file"))
        let keyring = try specimen.open()
        let bob = try #require(try keyring.currentIdentity())
        let account = try #require(ItemAccount(bytes: Array("otpk.8".utf8)))
        guard let value = try keyring.item(account, of: bob) else {
            Issue.record("no otpk.8")
            return
        }
        let kept: [UInt8] = [1, 2, 3]
        let isKept = value.isEqual(to: kept.span)
        #expect(isKept)
        // No damage of the keyring; but a key that is none is a finding there too.
        let verify = specimen.run("keyring", "verify")
        #expect(verify.status == .finding)
        #expect(verify.output.contains("AT RISK   the item otpk.8 of ce04d757588b607d is not as an app reads it"))
        #expect(verify.output.contains("note      the item settings.applock of ce04d757588b607d is not as an app"))
    }

    @Test("no secret of the items is shown, whatever is wrong with them")
    func secrets() throws {
        var items = Self.items
        items["skd.mine.E8EE"] = Array(#"{"chainKey":"S0VZS0VZS0VZ","iteration":"S0VZS0VZ"}"#.utf8)
        specimen.folder.write([UInt8](try Self.keychain(items)), to: "bob.json")
        for words in [["identity", "import", "@bob.json"], ["identity", "import", "@bob.json", "--json"]] {
            let run =
                words.count == 3
                ? specimen.run(words[0], words[1], words[2]) : specimen.run(words[0], words[1], words[2], words[3])
            for secret in ["S0VZ", Data(Self.key).base64EncodedString(), "\u{7}"] {
                #expect(!(run.output + run.errors).contains(secret))
            }
        }
    }

    @Test("the app's marks, names and blocks are told, and taken with --people only")
    func people() throws {
        let people = try MadePeople()
        #expect(
            people.run("contact", "add", try people.writeBundle(0, name: "Alice", to: "alice.json")).status == .success)
        let keychain = try Self.keychain([
            "verified.peers": Array(#"{"\#(MadePeople.aliceID)":"\#(MadePeople.aliceNumber)"}"#.utf8),
            "peer.aliases": Array(#"{"\#(MadePeople.aliceID)":"Ali"}"#.utf8),
            "blocked.peers": Array(#"{"ids":["\#(MadePeople.aliceID)"],"names":{}}"#.utf8),
        ])
        people.folder.write([UInt8](keychain), to: "me.json")
        let file = people.folder.file("me.json")
        let told = people.run("identity", "import", file)
        #expect(told.status == .success, "\(told.errors)")
        #expect(
            told.output.contains(
                "the app kept 1 verified mark, 1 name and 1 block for contacts here; --people takes them"))
        #expect(people.run("contact", "list").output.contains("NOT VERIFIED"))
        #expect(
            people.run("identity", "import", file, "--people", "--dry-run").output.contains("would get 1 verified mark")
        )
        #expect(people.run("contact", "list").output.contains("NOT VERIFIED"))
        let taken = people.run("identity", "import", file, "--people")
        #expect(taken.output.contains("got 1 verified mark, 1 name and 1 block that the app kept"))
        let list = people.run("contact", "list").output
        #expect(list.contains("Ali ") && list.contains("verified") && !list.contains("NOT VERIFIED"))
        #expect(list.contains("blocked"))
    }
}
