import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

/// `store migrate`, `repair` and `prune` are killed instead of changes that they would make to the disk.
@Suite("a migration, repair or pruning that is killed")
struct VerbKillTests {
    /// A store with something to do for one verb.
    struct Scene: Sendable, CustomTestStringConvertible {
        let verb: String
        let options: [String]
        /// By place in the store's folder; nil is sealed by hand.
        let texts: [(name: String, text: String)]
        /// A changed byte in the last file.
        var isDamaged = false

        var testDescription: String { verb }

        static func message(_ id: String, _ peer: String, time: Int = 795_000_001, edited: String = "") -> String {
            "{\"id\":\"\(id)\",\"peerID\":\"\(peer)\",\"direction\":\"sent\",\"body\":\"hi \(id)\",\"timestamp\":\(time),"
                + "\"status\":\"read\"\(edited)}"
        }

        static let group = "E8EEABCD-D69B-4E6D-999A-612230CBB467"
        static let edited = ",\"isEdited\":false"

        static let all = [
            Scene(
                verb: "migrate", options: [],
                texts: [
                    ("sophax_messages/a0.enc", "[\(message("A1", "a0")),\(message("A2", "a0"))]"),
                    ("sophax_messages/\(group).enc", "[\(message("G1", "group.\(group)"))]"),
                    ("sophax_messages/group.\(group).enc", "[\(message("G2", "group.\(group)"))]"),
                    ("sophax_messages/b0.enc", "[\(message("B1", "b0", edited: edited)),{}]"),
                    ("sophax_attachments/AA", "picture"),
                ]),
            Scene(
                verb: "repair", options: [],
                texts: [
                    ("sophax_messages/a0.enc", "[\(message("B1", "b0", edited: edited))]"),
                    ("sophax_messages/b0.enc", "[\(message("A1", "a0", edited: edited)),]"),
                    ("sophax_attachments/AA", "a picture that is longer than one block of the cipher"),
                ], isDamaged: true),
            Scene(
                verb: "prune", options: ["--before", "2026-03-13", "--apply"],
                texts: [
                    ("sophax_messages/a0.enc", "[\(message("A1", "a0")),\(message("A2", "a0", time: 800_000_000))]"),
                    ("sophax_messages/b0.enc", "[\(message("B1", "b0"))]"),
                    ("sophax_attachments/AA", "picture"),
                ]),
        ]

        func make(in folder: TemporaryFolder) throws {
            for name in ["a", "a/phone", "a/phone/sophax_messages", "a/phone/sophax_attachments"] {
                _ = folder.makeFolder(name)
            }
            for (number, file) in texts.enumerated() {
                var box = try ChangedStore.seal(Array(file.text.utf8))
                if isDamaged, number == texts.count - 1 { box[30] ^= 0x04 }
                folder.write(box, to: "a/phone/" + file.name)
            }
            folder.write(ChangedStore.oldBytes, to: "a/key")
        }

        func probe(_ root: String, _ probing: [String] = []) -> ChildProcess {
            ChildProcess.run(
                [ChildProcess.builtProducts + "/StoreProbe", root] + probing
                    + ["--", "store", verb, root + "/phone", "--jobs", "1", "--key-file", root + "/key"] + options,
                seconds: 120)
        }

        /// What the key opens under the name, by place; what it does not open by its bytes.
        func state(_ root: String) throws -> [String: [UInt8]] {
            let bytes = ChangedStore.oldBytes
            let key = SharedKey(try SecretBytes(copying: bytes.span))
            let files = FolderListing(root + "/phone").entries.filter { $0.value.hasPrefix("file") }.map(\.key)
            let texts = try ChangedStore.opened(root + "/phone", files, key)
            var state: [String: [UInt8]] = [:]
            for name in files { state[name] = texts[name] ?? fileBytes(root + "/phone/" + name) }
            // Changes of the messages alone keep the old folder inside, and work there.
            return state.filter { !$0.key.contains(".before-") && !$0.key.contains("sxkey-") }
        }
    }

    @Test("the store is as it was or as it shall be, and a second run completes", arguments: Scene.all)
    func kills(scene: Scene) throws {
        let made = TemporaryFolder()
        try scene.make(in: made)
        let before = try scene.state(made.file("a"))
        let whole = TemporaryFolder()
        TreeNames.copy(made.file("a"), to: whole.file("a"))
        let first = scene.probe(whole.file("a"))
        #expect([0, 3].contains(first.status), "\(first.errorText)")
        let after = try scene.state(whole.file("a"))
        #expect(after != before)
        let total = try #require(first.operations, "\(first.errorText)")
        for operation in stride(from: 2, through: total, by: LongTests.areWanted ? 1 : 19) {
            let folder = TemporaryFolder()
            let root = folder.file("a")
            TreeNames.copy(made.file("a"), to: root)
            let run = scene.probe(root, ["die=\(operation)"])
            #expect(run.status == 137, "\(operation): \(run.errorText)")
            let between = try scene.state(root)
            #expect(between == before || between == after, "killed at \(operation) of \(total)")
            let second = scene.probe(root)
            #expect([0, 3].contains(second.status), "\(operation): \(second.errorText)")
            #expect(try scene.state(root) == after, "killed at \(operation) of \(total)")
            let beside = TreeNames.names(root) + TreeNames.names(root + "/phone")
            #expect(!beside.contains { $0.contains("sxkey") }, "\(operation): \(beside)")
        }
    }
}
