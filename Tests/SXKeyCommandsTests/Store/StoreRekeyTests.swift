import CryptoPrimitives
import Glibc
import Keyring
import SophaxFiles
import StoreChanges
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("store rekey")
struct StoreRekeyTests {
    private func made() throws -> MadeStore {
        let store = MadeStore()
        try store.conversation(MadeStore.bob, [MadeStore.message("1", peer: MadeStore.bob)])
        try store.attachment("AB", "a picture")
        return store
    }

    private func rekey(_ store: MadeStore, _ more: [String] = [], out: String = "new.key") -> CommandRun {
        store.run("rekey", ["--out", store.folder.file(out)] + more)
    }

    @Test("says what each key opens, and leaves the old folder beside the new one")
    func whole() throws {
        let store = try made()
        let run = rekey(store)
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("New key       opens 2 records in \""))
        #expect(run.output.contains("Old key       still opens 2 records in \"phone.before-rekey-2026-05-28\""))
        #expect(run.output.hasSuffix("read 2 · written 2 · carried 0 · skipped 0 · failed 0\n"))
        #expect(store.folder.names == ["new.key", "phone", "phone.before-rekey-2026-05-28", "storage.key"])
        #expect(fileBytes(store.folder.file("new.key"))?.count == 65)
        let verify = CommandRun.run(["store", "verify", store.path, "--key-file", store.folder.file("new.key")])
        #expect(verify.output.contains("1 message and 1 attachment are authentic"))
        #expect(store.run("verify").status == .wrongSecret)
    }

    @Test("run again with the same words after it was done, it says so and changes nothing")
    func again() throws {
        let store = try made()
        _ = rekey(store)
        let before = FolderListing(store.folder.path)
        let run = rekey(store)
        #expect(run.status == .success)
        #expect(run.output.contains("encrypted under the new key already"))
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("run again, it does not say that what came along unproven is proven now")
    func againUnproven() throws {
        let store = try made()
        store.folder.write([UInt8](repeating: 1, count: 40), to: "phone/sophax_messages/ab.enc")
        store.folder.write("not of the app", to: "phone/a.txt")
        #expect(rekey(store).status == .someDamaged)
        let run = rekey(store)
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("encrypted under the new key already"))
        #expect(run.output.contains("2 files that the new key does not open, or that no app makes"))
        #expect(run.output.hasSuffix("read 4 · written 0 · carried 2 · skipped 0 · failed 0\n"), "\(run.output)")
    }

    @Test("a wrong key, a taken --out, the old key as the new one: an error each, and nothing is written")
    func refused() throws {
        let store = try made()
        store.folder.write([UInt8](repeating: 9, count: 32), to: "wrong.key")
        let before = FolderListing(store.folder.path)
        let wrong = CommandRun.run([
            "store", "rekey", store.path, "--key-file", store.folder.file("wrong.key"), "--out",
            store.folder.file("new.key"),
        ])
        #expect(wrong.status == .wrongSecret)
        #expect(rekey(store, out: "wrong.key").status == .wouldOverwrite)
        let same = store.run("rekey", ["--new-key-file", store.keyFile])
        #expect(same.status == .usage)
        #expect(same.error(in: store.folder.path) == "the new key is the one that the store has")
        let inside = rekey(store, out: "phone/new.key")
        #expect(inside.status == .failure)
        #expect(inside.errors.contains("is in the folder that is changed"))
        #expect(store.run("rekey").status == .usage)
        #expect(store.run("rekey", ["--out", "a", "--new-key-file", "b"]).status == .usage)
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("without attachments beside the messages it refuses, unless only messages are meant")
    func messagesOnly() throws {
        let store = try made()
        rename(store.folder.file("phone/sophax_attachments"), store.folder.file("elsewhere"))
        let run = rekey(store)
        #expect(run.status == .notFound)
        #expect(run.errors.contains("there is no folder sophax_attachments beside the messages"))
        #expect(!store.folder.names.contains("new.key"))
        let only = rekey(store, ["--messages-only"])
        #expect(only.status == .success, "\(only.errors)")
        #expect(only.output.contains("Attachments   were left aside"))
        #expect(namesInside(store) == ["sophax_messages", "sophax_messages.before-rekey-2026-05-28"])
    }

    private func namesInside(_ store: MadeStore) -> [String] {
        FolderListing(store.path).names.filter { !$0.contains("/") }
    }

    @Test("--dry-run shows the plan, and writes nothing")
    func dryRun() throws {
        let store = try made()
        store.folder.write("?", to: "phone/a.txt")
        let before = FolderListing(store.folder.path)
        let run = store.run("rekey", ["--dry-run", "--no-keep"])
        #expect(run.status == .success)
        #expect(run.output.contains("1 conversation, 1 attachment, 0 other files will be encrypted under a new key"))
        #expect(run.output.contains("1 file will come along as they are, not proven, so --no-keep will be refused"))
        #expect(FolderListing(store.folder.path) == before)
        #expect(rekey(store, ["--no-keep"]).status == .someDamaged)
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("another process at work is exit 7, and a reader says so")
    func locked() throws {
        let store = try made()
        let turn = try ChangeTurn(for: ChangeUnit(of: FilePath(store.path), .messagesAndAttachments))
        let run = rekey(store)
        #expect(run.status == .locked)
        #expect(run.errors.contains("another process is changing it now"))
        #expect(!store.folder.names.contains("new.key"))
        _ = consume turn
    }

    @Test("what was interrupted is told by info and verify, with the command that settles it")
    func note() throws {
        let store = try made()
        let text =
            "sxkey-change 1\nstate building\nverb rekey\nmark 0123456789abcdef\ntarget folder\nkeep yes\ndate 2026-05-28\n"
        let sum = Array(text.utf8)
        let digest = SHA256.hash(sum.span)
        let journal = text + "sum " + Hex.encode(digest.span) + "\n"
        store.folder.write(journal, to: ".phone.sxkey-change")
        for verb in ["info", "verify"] {
            let run = store.run(verb)
            #expect(
                run.errors.contains("was interrupted; nothing is lost, and \"sxkey store rekey \""), "\(run.errors)")
        }
        let run = rekey(store)
        #expect(run.status == .success)
        #expect(!store.folder.names.contains(".phone.sxkey-change"))
    }

    @Test("with a keyring the new key becomes storage.master, and the old one stays under the day's name")
    func keyring() throws {
        let store = try made()
        let specimen = try KeyringSpecimen()
        try specimen.addAlice()
        func items() throws -> [String: [UInt8]] {
            let keyring = try specimen.open(.readWrite)
            let identity = try #require(try keyring.currentIdentity())
            var items: [String: [UInt8]] = [:]
            for listing in try keyring.items(of: identity) where listing.account.text.hasPrefix("storage.") {
                guard let value = try keyring.item(listing.account, of: identity) else { continue }
                items[listing.account.text] = value.withSpan { span in span.indices.map { span[$0] } }
            }
            return items
        }
        do {
            let keyring = try specimen.open(.readWrite)
            let identity = try #require(try keyring.currentIdentity())
            try keyring.setItem(
                .storageMaster, of: identity, to: try secret(MadeStore.keyBytes), at: 1)
        }
        let run = specimen.run("store", "rekey", store.path)
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("it is storage.master of keyring identity \"alice\""))
        #expect(run.output.contains("it is storage.master.before-2026-05-28 of the keyring identity"))
        let after = try items()
        #expect(after.keys.sorted() == ["storage.master", "storage.master.before-2026-05-28"])
        #expect(after["storage.master.before-2026-05-28"] == MadeStore.keyBytes)
        #expect(specimen.run("store", "verify", store.path).status == .success)

        // Killed after the exchange: the keyring does not know yet.
        do {
            let keyring = try specimen.open(.readWrite)
            let identity = try #require(try keyring.currentIdentity())
            let new = try secret(after["storage.master"] ?? [])
            try keyring.setItem(.storageMasterNext, of: identity, to: new, at: 1)
            try keyring.setItem(
                .storageMaster, of: identity, to: try secret(MadeStore.keyBytes), at: 1)
        }
        let verify = specimen.run("store", "verify", store.path)
        #expect(verify.status == .success, "\(verify.errors)")
        let second = specimen.run("store", "rekey", store.path)
        #expect(second.status == .success)
        #expect(second.output.contains("encrypted under the new key already"))
        #expect(try items() == after)
    }

    @Test("a rekey that fails puts another key back that was storage.master.next")
    func displaced() throws {
        let store = try made()
        let specimen = try KeyringSpecimen()
        try specimen.addAlice()
        let waiting = [UInt8](repeating: 7, count: 32)
        func value(_ account: ItemAccount) throws -> [UInt8]? {
            let keyring = try specimen.open(.readWrite)
            let identity = try #require(try keyring.currentIdentity())
            return try keyring.item(account, of: identity)?.withSpan { span in span.indices.map { span[$0] } }
        }
        do {
            let keyring = try specimen.open(.readWrite)
            let identity = try #require(try keyring.currentIdentity())
            try keyring.setItem(.storageMaster, of: identity, to: try secret(MadeStore.keyBytes), at: 1)
            try keyring.setItem(.storageMasterNext, of: identity, to: try secret(waiting), at: 1)
        }
        store.folder.write([UInt8](repeating: 9, count: 32), to: "given.key")
        // What is not proven comes along only when the old folder is kept.
        store.folder.write("not of the app", to: "phone/a.txt")
        let run = specimen.run(
            "store", "rekey", store.path, "--no-keep", "--new-key-file", store.folder.file("given.key"))
        #expect(run.status == .someDamaged, "\(run.errors)")
        #expect(try value(.storageMasterNext) == waiting)
        #expect(try value(.storageMaster) == MadeStore.keyBytes)
        #expect(try value(.storageMasterBefore("2026-05-28", number: 1)) == nil)
    }

    private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }
}
