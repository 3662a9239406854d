import CommandKit
import Glibc
import TestSupport
import Testing

@testable import SXKeyCommands

/// What may lie in a store's folder, and the ways to name one.
@Suite("folders of a store")
struct StoreFolderTests {
    private let store = MadeStore()

    init() throws {
        try store.conversation(MadeStore.alice, [MadeStore.message("A1", peer: MadeStore.alice, body: "here")])
    }

    private var messages: String { store.path + "/sophax_messages" }

    @Test("pipes, sockets, links and folders named like conversations are left alone")
    func strangeEntries() throws {
        mkfifo(messages + "/pipe.enc", 0o600)
        symlink("nowhere", messages + "/dangling.enc")
        symlink("\(MadeStore.alice).enc", messages + "/link.enc")
        symlink("loop.enc", messages + "/loop.enc")
        mkdir(messages + "/folder.enc", 0o700)
        makeSocket(messages + "/socket.enc")
        store.folder.write("", to: "phone/sophax_messages/.enc")
        store.folder.write("notes", to: "phone/sophax_messages/README")
        mkfifo(store.path + "/sophax_attachments/ABC", 0o600)
        for verb in ["info", "verify", "show"] {
            let run = store.run(verb)
            #expect(run.status == .success, "\(verb): \(run.output) \(run.errors)")
        }
        #expect(store.run("show").output.contains("here"))
        let verify = store.run("verify")
        #expect(verify.output.contains("9 files that no app made; left alone"), "\(verify.output)")
        let all = store.run("attachment", ["--all", "--out", store.folder.file("x")])
        #expect(all.status == .success)
        #expect(all.output.contains("read 0 · written 0"))
    }

    @Test("a file without a byte, or too few of them, is damaged", arguments: [0, 1, 27, 28])
    func shortFiles(size: Int) throws {
        store.folder.write([UInt8](repeating: 1, count: size), to: "phone/sophax_messages/notetoself.enc")
        #expect(store.run("verify").status == .someDamaged)
        #expect(store.run("show").output.contains("here"))
    }

    @Test("file names that are not text, or steer a terminal, are escaped")
    func names() throws {
        makeEmptyFile(Array((messages + "/").utf8) + [0xFF, 0x1B] + Array("[2J".utf8))
        makeEmptyFile(Array((messages + "/\u{202E}gpj.exe\n").utf8))
        for arguments in [["store", "info", store.path], ["store", "verify", store.path, "-k", store.keyFile]] {
            let run = CommandRun.run(arguments)
            #expect(run.status == .success)
            #expect(run.output.contains(#"\xff\u{1b}[2J"#), "\(run.output)")
            #expect(run.output.contains(#"\u{202e}gpj.exe\n"#), "\(run.output)")
        }
    }

    @Test("a store is found by its folder, by the folder of its messages, and through a link")
    func waysToNameIt() {
        symlink("phone", store.folder.file("link"))
        for path in [
            store.path, store.path + "/", store.path + "/.", messages, messages + "/", store.folder.file("link"),
            messages + "/../../link/sophax_messages",
        ] {
            let run = CommandRun.run(["store", "show", path, "-k", store.keyFile])
            #expect(run.status == .success, "\(path)")
            #expect(run.output.contains("here"), "\(path)")
        }
    }

    @Test("a folder under another name is a store when it holds conversations")
    func otherName() {
        rename(messages, store.folder.file("copy"))
        let run = CommandRun.run(["store", "show", store.folder.file("copy"), "-k", store.keyFile])
        #expect(run.status == .success)
        #expect(run.output.contains("here"))
        let empty = CommandRun.run(["store", "show", store.path, "-k", store.keyFile])
        #expect(empty.status == .unreadable)
        #expect(empty.error(in: store.folder.path) == "\"phone\" is no message store")
    }

    @Test("what is no folder, or not there, is said so")
    func noFolder() {
        let cases: [(String, CommandStatus, String)] = [
            ("nothing", .notFound, "cannot list \"nothing\": no such file or folder"),
            ("storage.key", .unreadable, "cannot list \"storage.key\": it is not a folder"),
            ("storage.key/x", .unreadable, "cannot list \"storage.key/x\": it is not a folder"),
        ]
        for (name, status, message) in cases {
            for verb in [["info"], ["verify"], ["show"], ["export", "--out", store.folder.file("x")]] {
                let run = CommandRun.run(
                    ["store", verb[0], store.folder.file(name), "-k", store.keyFile] + verb.dropFirst())
                #expect(run.status == status && run.error(in: store.folder.path) == message, "\(verb) \(run.errors)")
            }
        }
    }

    @Test("without the folder of attachments messages are read, and attachments asked for are not found")
    func noAttachments() {
        rmdir(store.path + "/sophax_attachments")
        #expect(store.run("verify").status == .success)
        let run = store.run("attachment", ["--all", "--out", store.folder.file("x")])
        #expect(run.status == .notFound)
        #expect(
            run.error(in: store.folder.path) == "there is no folder sophax_attachments beside \"phone\"")
    }

    private func makeSocket(_ path: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
        close(descriptor)
    }
}
