import CryptoPrimitives
import Foundation
import Keyring
import SampleData
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("session list, show and verify")
struct SessionCommandTests {
    private let folder = TemporaryFolder()
    private static let bob = "ce04d757588b607db7dd1e31c428b180"

    private func run(_ words: String...) -> CommandRun {
        CommandRun.run(words.map { $0.hasPrefix("@") ? folder.file(String($0.dropFirst())) : $0 })
    }

    private func json(_ run: CommandRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
    }

    private func sessions(_ run: CommandRun) throws -> [[String: Any]] {
        try #require(try json(run)["sessions"] as? [[String: Any]])
    }

    private func codes(_ session: [String: Any]?) -> [String] {
        (session?["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
    }

    /// Verifies a dump with one session, and gives its object.
    private func verify(
        _ blob: [UInt8], macKey: [UInt8]? = MadeSessions.macKey
    ) throws -> (run: CommandRun, session: [String: Any]) {
        var items = ["session.\(Self.bob)": blob]
        items["session.mac_key"] = macKey
        folder.write(try MadeSessions.dump(items), to: "dump.json")
        let run = run("session", "verify", "--keychain", "@dump.json", "--json")
        return (run, try #require(try sessions(run).first))
    }

    // MARK: - The app's own

    @Test(
        "the app's own states: counters, skipped keys and form are those of the file",
        .enabled(if: SharedFolder.isThere, "the shared folder is not there"))
    func fixtures() throws {
        let mid = SharedFolder.file("fixtures/march/session-bob-mid.json")
        let shown = run("session", "show", mid)
        #expect(shown.status == .success, "\(shown.errors)")
        for line in [
            "State            v1, with encrypted headers", "HMAC             none", "Sent             2 in this chain",
            "Received         5 in this chain", "Skipped keys     1 of 1 chain, at most 1000 of 50",
            "1 message of this chain: 1",
            "Refused by       versions that keep an HMAC: they take the first 32 bytes of the JSON for it",
        ] {
            #expect(shown.output.contains(line), "\(line): \(shown.output)")
        }
        let end = try sessions(
            run("session", "show", SharedFolder.file("fixtures/march/session-alice-end.json"), "--json"))
        #expect(end.first?["sent"] as? Int == 2 && end.first?["received"] as? Int == 2)
        #expect(end.first?["previousSent"] as? Int == 5 && end.first?["skippedKeys"] as? Int == 0)
        #expect(
            end.first?["ratchetKey"] as? String
                == "859d0193759f8169 7fb84555 4e08661e 3a50aa83 178ac17c 2bdc0240 b52e364e".replacing(" ", with: ""))
        let verdict = run("session", "verify", mid)
        #expect(verdict.status == .finding)
        #expect(verdict.output.contains("it has no HMAC: later app versions refuse it"))
    }

    @Test(
        "nothing of the app's own states that is secret is shown",
        .enabled(if: SharedFolder.isThere, "the shared folder is not there"))
    func fixtureSecrets() throws {
        let mid = SharedFolder.file("fixtures/march/session-bob-mid.json")
        let state = try JSONSerialization.jsonObject(with: Data(try #require(fileBytes(mid)))) as? [String: Any]
        let secrets = MadeSessions.secrets(of: try #require(state))
        #expect(secrets.count >= 18)
        for verb in ["show", "verify"] {
            for option in ["--color=never", "--json"] {
                let run = run("session", verb, mid, option)
                for secret in secrets { #expect(!(run.output + run.errors).contains(secret)) }
            }
        }
    }

    // MARK: - Judging

    @Test("a session with a right HMAC is well; a changed byte, another key or none is told apart")
    func codesOfHMAC() throws {
        let state = try MadeSessions.json(try MadeSessions.state())
        let blob = try MadeSessions.sealed(state)
        let good = try verify(blob)
        #expect(good.run.status == .success && good.session["hmac"] as? String == "verified")
        #expect(good.session["version"] as? Int == 1 && good.session["sent"] as? Int == 3)
        #expect(codes(good.session) == [])

        var changed = blob
        changed[3] ^= 1
        let wrong = try verify(changed)
        #expect(wrong.run.status == .finding && wrong.session["hmac"] as? String == "wrong")
        #expect(codes(wrong.session) == ["hmac-wrong"])
        #expect(codes(try verify(blob, macKey: [UInt8](repeating: 1, count: 32)).session) == ["hmac-wrong"])

        let open = try verify(blob, macKey: nil)
        #expect(open.run.status == .finding && open.session["hmac"] as? String == "not-verified")
        #expect(codes(open.session) == ["hmac-not-verified"])
        // A key of another length is a key for nothing, and not the same as none.
        let short = try verify(blob, macKey: [UInt8](repeating: 1, count: 31))
        #expect(short.run.status == .finding && codes(short.session) == ["hmac-key-length"])
        #expect(short.run.output.contains("session.mac_key has 31 bytes in place of 32"))

        let plain = try verify(state)
        #expect(plain.run.status == .finding && codes(plain.session) == ["no-hmac"])
    }

    @Test("a session whose HMAC nobody verified is not called well, and the report says what to give")
    func notVerified() throws {
        var state = try MadeSessions.state()
        let genuine = try MadeSessions.sealed(try MadeSessions.json(state))
        state["sendMessageCount"] = 77
        // The code of the genuine one before a changed state.
        folder.write(Array(genuine.prefix(32)) + (try MadeSessions.json(state)), to: "changed")
        let alone = run("session", "verify", "@changed")
        #expect(alone.status == .finding, "\(alone.output)")
        #expect(alone.output.contains("AT RISK   its HMAC is not verified, for there is no session.mac_key"))
        #expect(alone.output.contains("read 1 · ok 0 · at risk 1 · damaged 0\nVerdict: not all is well (exit 8)\n"))
        #expect(alone.output.contains("→ with --keychain FILE or --identity NAME, the HMAC of a file is verified"))
        folder.write(try MadeSessions.dump(["session.mac_key": MadeSessions.macKey]), to: "dump.json")
        let with = run("session", "verify", "@changed", "--keychain", "@dump.json")
        #expect(with.status == .finding && with.output.contains("its HMAC is wrong"))
        folder.write(genuine, to: "genuine")
        #expect(run("session", "verify", "@genuine", "--keychain", "@dump.json").status == .success)
    }

    @Test("JSON that is no state of a session is no damaged one, and a dump is told as such")
    func otherJSON() throws {
        folder.write(try MadeSessions.dump(["session.\(Self.bob)": [1, 2]]), to: "dump.json")
        for verb in ["verify", "show"] {
            let dump = run("session", verb, "@dump.json")
            #expect(dump.status == .unreadable && dump.output.isEmpty, "\(dump.output)")
            #expect(dump.errors.contains("is no session: it is a dump of a keychain"))
            #expect(dump.errors.contains("hint: --keychain "))
        }
        folder.write(#"{"type":"ack","payload":"e30="}"#, to: "message.json")
        let other = run("session", "verify", "@message.json")
        #expect(other.status == .unreadable && other.errors.contains("neither the JSON of a state"))
        // Damage of a state is still damage.
        folder.write(#"{"rootKey":{"rawData":"AA=="},"sendMessageCount":1}"#, to: "damaged.json")
        #expect(run("session", "verify", "@damaged.json").status == .someDamaged)
        let (item, session) = try verify(Array(#"{"hello":1}"#.utf8))
        #expect(item.status == .someDamaged && codes(session) == ["not-a-session"])
    }

    @Test("a folder does not hide the person of its name")
    func folderOfTheName() throws {
        // The tests run where the sources are.
        let name = "Tests"
        try #require(fileStatus(at: FilePath(name)).kind == .folder)
        let id = "aaaaaaaaaaaaaaaa"
        let state = try MadeSessions.sealed(try MadeSessions.json(try MadeSessions.state()))
        var items = ["session.mac_key": MadeSessions.macKey, "session.\(id)": state]
        folder.write(try MadeSessions.dump(items), to: "dump.json")
        let nobody = run("session", "show", name, "--keychain", "@dump.json")
        #expect(nobody.status == .notFound && nobody.errors.contains("what is called so here is a folder"))
        items["peer.aliases"] = try MadeSessions.json([id: name])
        folder.write(try MadeSessions.dump(items), to: "dump.json")
        let person = run("session", "show", name, "--keychain", "@dump.json")
        #expect(person.status == .success && person.output.contains("Session with Tests (\(id))"), "\(person.errors)")
        let path = run("session", "show", "./\(name)", "--keychain", "@dump.json")
        #expect(path.status == .unreadable && path.errors.contains("it is a folder"), "\(path.errors)")
    }

    @Test("states that the apps refuse are named with who refuses them; at the limits they are taken")
    func limits() throws {
        func judged(_ change: (inout [String: Any]) -> Void) throws -> (CommandStatus, [String]) {
            var state = try MadeSessions.state()
            change(&state)
            let (run, session) = try verify(try MadeSessions.sealed(try MadeSessions.json(state)))
            return (run.status, codes(session))
        }
        let end = UInt32.max
        for (count, status, expected) in [
            (end, CommandStatus.finding, ["counter-exhausted"]), (end - 1, .finding, ["counter-near-end"]),
            (end - (1 << 20), .finding, ["counter-near-end"]), (end - (1 << 20) - 1, .success, []),
        ] {
            let found = try judged { $0["sendMessageCount"] = count }
            #expect(found.0 == status && found.1 == expected, "\(count): \(found)")
        }
        for (keys, chains, expected) in [
            (899, 50, []), (900, 50, ["many-skipped-keys"]), (1000, 50, ["many-skipped-keys"]),
            (1001, 50, ["too-many-skipped-keys"]), (51, 51, ["too-many-chains"]), (50, 50, []),
        ] {
            let found = try judged { $0["skippedKeyBundles"] = MadeSessions.skipped(keys: keys, chains: chains) }
            #expect(found.1 == expected, "\(keys) in \(chains): \(found)")
            #expect(found.0 == (expected.isEmpty ? .success : .finding))
        }
        var excess = try MadeSessions.state()
        excess["skippedKeyBundles"] = MadeSessions.skipped(keys: 1_020, chains: 51)
        folder.write(try MadeSessions.json(excess), to: "excess")
        let shown = run("session", "show", "@excess")
        #expect(shown.output.contains("Skipped keys     1020 of 51 chains, at most 1000 of 50"), "\(shown.output)")
        #expect(shown.output.contains("it keeps 1,020 skipped keys, more than the 1000 that later apps read"))
        #expect(shown.output.contains("it keeps skipped keys of 51 chains, more than the 50 that the newest app reads"))
        let pair = try judged {
            $0["sendingRatchetPublicKey"] = Data([UInt8](repeating: 9, count: 32)).base64EncodedString()
        }
        #expect(pair.0 == .someDamaged && pair.1 == ["key-pair-mismatch"])
        let missing = try judged { $0["rootKey"] = nil }
        #expect(missing.0 == .someDamaged && missing.1 == ["bad-state"])
    }

    @Test("a state of the first versions only reads, and the versions that refuse it are named")
    func firstVersion() throws {
        folder.write(try MadeSessions.json(try MadeSessions.firstVersion()), to: "v0")
        let run = run("session", "show", "@v0")
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("State            v0, with headers in clear"))
        #expect(
            run.output.contains("versions with encrypted headers: they require skippedKeyBundles, which it has not"))
        #expect(
            codes(try sessions(self.run("session", "verify", "@v0", "--json")).first) == ["no-hmac", "old-version"])
    }

    @Test("what is no session is damage in a keychain, and an unreadable file by itself")
    func garbage() throws {
        let (run, session) = try verify([UInt8](repeating: 7, count: 100))
        #expect(run.status == .someDamaged && codes(session) == ["not-a-session"])
        folder.write([UInt8](repeating: 7, count: 100), to: "noise")
        let file = self.run("session", "show", "@noise")
        #expect(file.status == .unreadable && file.errors.contains("is no session"))
        folder.write("", to: "empty")
        #expect(self.run("session", "verify", "@empty").status == .unreadable)
    }

    @Test("counts add up, and the worst session decides the exit status")
    func counts() throws {
        let state = try MadeSessions.json(try MadeSessions.state())
        folder.write(
            try MadeSessions.dump([
                "session.mac_key": MadeSessions.macKey, "session.\(Self.bob)": try MadeSessions.sealed(state),
                "session.aaaaaaaaaaaaaaaa": state, "session.bbbbbbbbbbbbbbbb": [1, 2],
            ]), to: "dump.json")
        let run = run("session", "verify", "--keychain", "@dump.json")
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("read 3 · ok 1 · at risk 1 · damaged 1\nVerdict: not all is well (exit 3)\n"))
        let list = self.run("session", "list", "--keychain", "@dump.json")
        #expect(list.status == .success)
        #expect(list.output.contains("3 sessions · stale 0 · with findings 2\n→ sxkey session verify\n"))
    }

    @Test("sessions that came out of a bundle are stale, and verified with the key that came with them")
    func stale() throws {
        let state = try MadeSessions.json(try MadeSessions.state())
        let other = [UInt8](repeating: 5, count: 32)
        folder.write(
            try MadeSessions.dump([
                "session.mac_key": MadeSessions.macKey, "session.\(Self.bob)": try MadeSessions.sealed(state),
                "stale.session.mac_key": other, "stale.session.\(Self.bob)": try MadeSessions.sealed(state, key: other),
            ]), to: "dump.json")
        let run = run("session", "verify", String(Self.bob.prefix(8)), "--keychain", "@dump.json", "--json")
        #expect(run.status == .success)
        let found = try sessions(run)
        #expect(found.map { $0["stale"] as? Bool } == [false, true])
        #expect(found.map { $0["hmac"] as? String } == ["verified", "verified"])
        #expect(found.map { codes($0) } == [[], ["stale"]])
    }

    // MARK: - Whose they are

    @Test(
        "with a keyring, sessions are known by the contact; one with a replaced key is at risk, with a stranger noted")
    func people() throws {
        let people = try MadePeople()
        #expect(people.run("contact", "add", try people.writeBundle(0, name: "Alice", to: "a.json")).status == .success)
        #expect(
            people.run("contact", "add", try people.writeBundle(0x10, name: "Zed", to: "z.json")).status == .success)
        let zed = try MadePeople.identity(0x10).fingerprint
        let other = try people.writeBundle(0x20, name: "Zed", to: "z2.json")
        #expect(people.run("contact", "replace-key", "Zed", other, "--yes").status == .success)
        let state = try MadeSessions.sealed(try MadeSessions.json(try MadeSessions.state()))
        var items = ["session.mac_key": MadeSessions.macKey]
        for id in [MadePeople.aliceID, PeerID(zed, form: .hex32).text, "aaaaaaaaaaaaaaaa"] {
            items["session.\(id)"] = state
        }
        var dump = try #require(
            try JSONSerialization.jsonObject(with: Data(try MadeSessions.dump(items))) as? [String: String])
        dump["identity.signing"] = Data(0x40...0x5F).base64EncodedString()
        dump["identity.dh"] = Data(0x60...0x7F).base64EncodedString()
        people.folder.write(try MadeSessions.json(dump), to: "me.json")
        let imported = people.run("identity", "import", people.folder.file("me.json"))
        #expect(imported.status == .success, "\(imported.errors)")
        let run = people.run("session", "verify")
        #expect(run.status == .finding)
        #expect(
            run.output.contains(
                "Zed (\(zed.hex.prefix(16)))\n  AT RISK   it is with a key of the contact that another one has replaced"
            ))
        #expect(run.output.contains("aaaaaaaaaaaaaaaa\n  note      no contact has this peer id"))
        let alice = people.run("session", "show", "alice")
        #expect(alice.output.contains("Session with Alice (\(MadePeople.aliceID.prefix(16)))"))
        #expect(alice.output.contains("Kept since       2026-05-28"))
        #expect(alice.output.contains("HMAC             verified"))
        #expect(people.run("session", "show", "nobody").status == .notFound)
        #expect(people.run("session", "list").output.contains("Alice (3619e750a2dd52ba)"))
    }

    @Test("a beginning of several peer ids is ambiguous, and a name of nobody lists those who are there")
    func choosing() throws {
        let state = try MadeSessions.json(try MadeSessions.state())
        folder.write(
            try MadeSessions.dump(["session.aaaaaaaaaaaaaaaa": state, "session.aaaaaaaaaaaaaaab": state]),
            to: "dump.json")
        let several = run("session", "show", "AAAAAAAA", "--keychain", "@dump.json")
        #expect(several.status == .usage && several.errors.contains("aaaaaaaaaaaaaaab"))
        let none = run("session", "show", "Bob", "--keychain", "@dump.json")
        #expect(none.status == .notFound && none.errors.contains("there is one with aaaaaaaaaaaaaaaa"))
        folder.write(try MadeSessions.dump([:]), to: "none.json")
        let empty = run("session", "list", "--keychain", "@none.json")
        #expect(empty.status == .success && empty.output.hasSuffix("  none\n"))
        let judged = run("session", "verify", "--keychain", "@none.json")
        #expect(judged.status == .success && judged.output.hasSuffix("Verdict: there is no session (exit 0)\n"))
    }

    @Test("the sample's keychain has sessions that are well")
    func sample() throws {
        let sample = try Sample(deterministic: true, limits: CommandRun.quick)
        folder.write(try #require(sample.files.first { $0.path == Sample.keychainFile }).bytes, to: "keychain.json")
        let run = run("session", "verify", "--keychain", "@keychain.json", "--json")
        #expect(run.status == .success, "\(run.output)")
        let found = try sessions(run)
        #expect(found.map { $0["sent"] as? Int }.sorted { ($0 ?? 0) < ($1 ?? 0) } == [0, 3])
        #expect(found.map { $0["skippedKeys"] as? Int }.sorted { ($0 ?? 0) < ($1 ?? 0) } == [0, 1])
        #expect(found.contains { $0["contact"] as? String == "Carla from climbing" })
    }

    @Test("damaged dumps and a dump beside an identity are refused before anything is shown")
    func refused() throws {
        folder.write("[]", to: "list.json")
        #expect(run("session", "list", "--keychain", "@list.json").status == .unreadable)
        folder.write("{}", to: "none.json")
        #expect(run("session", "list", "--keychain", "@none.json", "--identity", "Ana").status == .usage)
        #expect(run("session", "list", "--keychain", "@nothing").status == .notFound)
    }
}
