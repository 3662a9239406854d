import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

/// One of the verbs besides `rekey`, in a folder of its own.
struct VerbScene: InterruptedScene, CustomTestStringConvertible {
    enum Verb: String, CaseIterable {
        case migrate, repair, prune
        /// `bundle restore --store` where a store is, and `store merge` and `bundle restore --store` where none is.
        case restoreInto, merge, restoreNew

        var makesStore: Bool { self == .merge || self == .restoreNew }
        var target: String { makesStore ? "new" : "phone" }
    }

    let verb: Verb
    let folder: TemporaryFolder
    /// The store that is changed or made: before and after.
    private let before: [String: [UInt8]]
    private let after: [String: [UInt8]]
    /// What must stay as it is.
    private let sources: FolderListing

    var path: String { folder.file("a") }
    var testDescription: String { verb.rawValue }

    /// What some of the files are is not known, so a run may end with 3 or 8. A merge or restoring into a new folder refuses
    /// one that is there: then an earlier run had made it.
    var goodStatuses: Set<Int32> { verb.makesStore ? [0, 3, 8, 9] : [0, 3, 8] }

    init(_ verb: Verb) throws {
        self.verb = verb
        folder = TemporaryFolder()
        let kill = VerbKillTests.Scene.all.first { $0.verb == verb.rawValue } ?? VerbKillTests.Scene.all[0]
        try kill.make(in: folder)
        try Self.addSources(verb, folder)
        before = verb.makesStore ? [:] : try Self.state(folder.file("a/phone"))
        sources = Self.sources(folder.file("a"))
        let whole = TemporaryFolder()
        TreeNames.copy(folder.file("a"), to: whole.file("a"))
        let run = Self.run(verb, whole.file("a"), [])
        guard [0, 3, 8].contains(run.status) else { throw Failure(text: "status \(run.status): \(run.errorText)") }
        after = try Self.state(whole.file("a/" + verb.target))
        guard after != before else { throw Failure(text: "\(verb) has nothing to do") }
    }

    /// The second store of a merge, or a bundle.
    private static func addSources(_ verb: Verb, _ folder: TemporaryFolder) throws {
        guard [.merge, .restoreInto, .restoreNew].contains(verb) else { return }
        for name in ["a/tablet", "a/tablet/sophax_messages", "a/tablet/sophax_attachments"] {
            _ = folder.makeFolder(name)
        }
        let edited = VerbKillTests.Scene.edited
        let list = [("T1", "a0"), ("A2", "a0")].map { VerbKillTests.Scene.message($0.0, $0.1, edited: edited) }
        let texts = [
            ("a/tablet/sophax_messages/a0.enc", "[\(list.joined(separator: ","))]"),
            ("a/tablet/sophax_messages/c0.enc", "[\(VerbKillTests.Scene.message("C1", "c0", edited: edited))]"),
            ("a/tablet/sophax_attachments/BB", "another picture"),
        ]
        for (name, text) in texts { folder.write(try ChangedStore.seal(Array(text.utf8)), to: name) }
        guard verb != .merge else { return }
        folder.write("several words\n", to: "a/pw")
        let made = ChildProcess.run([
            ChildProcess.builtProducts + "/sxkey", "bundle", "create", "--store", folder.file("a/tablet"), "--key-file",
            folder.file("a/key"), "--new-passphrase-file", folder.file("a/pw"), "--argon2-memory", "19",
            "--argon2-passes", "1", "--argon2-lanes", "1", "--out", folder.file("a/all.sxb"),
        ])
        guard made.status == 0 else { throw Failure(text: made.errorText) }
    }

    private static func run(_ verb: Verb, _ root: String, _ options: [String]) -> ChildProcess {
        let key = root + "/key"
        var words: [String]
        switch verb {
        case .migrate, .repair, .prune:
            let kill = VerbKillTests.Scene.all.first { $0.verb == verb.rawValue }
            words = ["store", verb.rawValue, root + "/phone", "--jobs", "1", "--key-file", key] + (kill?.options ?? [])
        case .merge:
            words = ["store", "merge", root + "/phone", root + "/tablet", "--out", root + "/new", "--jobs", "1"]
            words += ["--key-file", key, "--key-file", key]
        case .restoreNew:
            words = ["bundle", "restore", root + "/all.sxb", "--store", root + "/new", "--new-key-file", key]
            words += ["--passphrase-file", root + "/pw"]
        case .restoreInto:
            words = ["bundle", "restore", root + "/all.sxb", "--store", root + "/phone", "--key-file", key]
            words += ["--passphrase-file", root + "/pw"]
        }
        return ChildProcess.run(
            [ChildProcess.builtProducts + "/StoreProbe", root] + options + ["--"] + words, seconds: 120)
    }

    func probe(_ folder: String, _ options: [String]) -> ChildProcess { Self.run(verb, folder, options) }

    // MARK: - What must hold

    /// What the key opens, by place; what it does not open by its bytes.
    private static func state(_ root: String) throws -> [String: [UInt8]] {
        let bytes = ChangedStore.oldBytes
        let key = SharedKey(try SecretBytes(copying: bytes.span))
        let files = FolderListing(root).entries.filter { $0.value.hasPrefix("file") }.map(\.key)
            // Changes of the messages alone keep the old folder inside, and work there.
            .filter { !$0.contains(".before-") && !$0.contains("sxkey-") }
        let texts = try ChangedStore.opened(root, files, key)
        var state: [String: [UInt8]] = [:]
        for name in files { state[name] = texts[name] ?? fileBytes(root + "/" + name) }
        return state
    }

    /// All but the store that is changed, and what a change has beside it.
    private static func sources(_ root: String) -> FolderListing {
        let copy = TemporaryFolder()
        for name in TreeNames.names(root) where ["key", "pw", "all.sxb", "tablet"].contains(name) {
            TreeNames.copy(root + "/" + name, to: copy.file(name))
        }
        return FolderListing(copy.path)
    }

    func checkNothingLost(_ folder: String) throws {
        guard Self.sources(folder) == sources else { throw Failure(text: "the sources changed") }
        let root = folder + "/" + verb.target
        let isThere = (try? fileStatus(at: FilePath(root)))?.kind == .folder
        guard isThere || verb.makesStore else { throw Failure(text: "the store's name is gone") }
        guard isThere else { return }
        let state = try Self.state(root)
        guard state == after || (state == before && !verb.makesStore) else {
            throw Failure(text: "neither the old store nor the new one: \(state.keys.sorted())")
        }
    }

    func checkCompleted(_ folder: String) throws {
        try checkNothingLost(folder)
        guard try Self.state(folder + "/" + verb.target) == after else { throw Failure(text: "not done") }
        let names = TreeNames.names(folder) + TreeNames.names(folder + "/" + verb.target)
        guard !names.contains(where: { $0.contains("sxkey") }) else { throw Failure(text: "\(names) is left") }
        if !verb.makesStore { try checkKept(folder) }
    }

    /// The old store is beside the new one, or its messages are beside the new messages.
    private func checkKept(_ folder: String) throws {
        for name in TreeNames.names(folder) where name.hasPrefix("phone.before-") {
            if try Self.state(folder + "/" + name) == before { return }
        }
        let messages = before.filter { $0.key.hasPrefix("sophax_messages/") }
            .map { ($0.key.dropFirst("sophax_messages/".count), $0.value) }
        for name in TreeNames.names(folder + "/phone") where name.hasPrefix("sophax_messages.before-") {
            let kept = try Self.state(folder + "/phone/" + name)
            if kept == Dictionary(uniqueKeysWithValues: messages.map { (String($0.0), $0.1) }) { return }
        }
        throw Failure(text: "the old store is not kept: \(TreeNames.names(folder))")
    }
}
