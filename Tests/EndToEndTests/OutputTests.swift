import Foundation
import TestSupport
import Testing

/// Files that commands write: for their owner, whole or not at all, and never over an input.
@Suite("output files")
struct OutputTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
    }

    private static let exports = [
        "bundle export sample.sxfe -p passphrase.txt", "bundle export sample.sxfe -p passphrase.txt --format json",
        "bundle export sample.sxfe -p passphrase.txt --format text", "store export phone -k storage.key",
        "store export phone -k storage.key --format text",
        "store attachment phone F5D10CB2-B23C-40B6-B925-24A4A90AA6F0 -k storage.key",
    ]

    /// The sample's attachment has a random id.
    private func line(_ export: String) -> String {
        let id = FolderListing(phone.file("phone/sophax_attachments")).names.first ?? ""
        return "sxkey " + export.replacingOccurrences(of: "F5D10CB2-B23C-40B6-B925-24A4A90AA6F0", with: id)
    }

    @Test("files are for their owner only, whatever the umask", arguments: exports)
    func permissions(export: String) {
        for mask in ["000", "022", "077", "777"] {
            let run = phone.shell("umask \(mask); \(line(export)) -o out\(mask)")
            #expect(run.status == 0, "\(run.errorText)")
            #expect(FolderListing.permissions(phone.file("out\(mask)")) == 0o600, "\(mask)")
        }
        // Also where the old file was open to all.
        let again = phone.shell("chmod 666 out022; \(line(export)) -o out022 --force")
        #expect(again.status == 0)
        #expect(FolderListing.permissions(phone.file("out022")) == 0o600)
        #expect(fileBytes(phone.file("out022")) == fileBytes(phone.file("out000")))
    }

    @Test("an existing file stays without --force, and is replaced whole with it", arguments: exports)
    func existing(export: String) throws {
        try phone.write("precious", to: "old")
        try phone.write("behind the link", to: "target")
        symlink("target", phone.file("link"))
        symlink("nowhere", phone.file("dangling"))
        let before = phone.listing
        for name in ["old", "link", "dangling"] {
            let run = phone.shell("\(line(export)) -o \(name)")
            #expect(run.status == 9, "\(run.errorText)")
            #expect(phone.listing == before)
        }
        for name in ["old", "link", "dangling"] {
            #expect(phone.shell("\(line(export)) -o \(name) -f").status == 0)
            #expect(phone.listing.entries[name]?.hasPrefix("file 600 ") == true, "\(name)")
        }
        // A link is replaced, not followed.
        #expect(phone.text("target") == "behind the link")
        #expect(!phone.listing.names.contains("nowhere"))
    }

    @Test("after a wrong secret the old file is untouched even with --force, and nothing new is there")
    func wrongSecret() throws {
        try phone.write("wrong horse", to: "wrong.txt")
        try phone.write([UInt8](repeating: 1, count: 32), to: "wrong.key")
        try phone.write("precious", to: "old")
        let before = phone.listing
        for export in Self.exports {
            let wrong = line(export).replacingOccurrences(of: "passphrase.txt", with: "wrong.txt")
                .replacingOccurrences(of: "storage.key", with: "wrong.key")
            for out in ["-o old --force", "-o new"] {
                #expect(phone.shell("\(wrong) \(out)").status == 5, "\(export) \(out)")
                #expect(phone.listing == before, "\(export) \(out)")
            }
        }
    }

    @Test("the output is never the input, under whatever name")
    func sameFile() throws {
        link(phone.file("sample.sxfe"), phone.file("hard.sxfe"))
        symlink("sample.sxfe", phone.file("soft.sxfe"))
        let store = "phone/sophax_messages/notetoself.enc"
        link(phone.file(store), phone.file("hard.enc"))
        let before = phone.listing
        for name in [
            "sample.sxfe", "./sample.sxfe", "hard.sxfe", "soft.sxfe", "/proc/self/cwd/sample.sxfe",
            "phone/../sample.sxfe",
        ] {
            for input in ["sample.sxfe", "- <sample.sxfe", "soft.sxfe"] {
                let run = phone.shell("sxkey bundle export \(input) -p passphrase.txt --force -o \(name)")
                #expect(run.status == 1, "\(input) \(name)")
                #expect(
                    run.errorText == "sxkey: error: cannot create \"\(name)\": it is the same file as an input\n",
                    "\(run.errorText)")
                #expect(phone.listing == before)
            }
        }
        for name in [store, "hard.enc", "/proc/self/cwd/" + store] {
            let run = phone.shell("sxkey store export phone -k storage.key --force -o \(name)")
            #expect(run.status == 1)
            #expect(phone.listing == before)
        }
        // What the shell appends to the input would change it as well.
        let appended = phone.shell("sxkey bundle export sample.sxfe -p passphrase.txt -o - >>sample.sxfe")
        #expect(appended.status == 1)
        #expect(
            appended.errorText == "sxkey: error: cannot write \"standard output\": it is the same file as an input\n")
        #expect(phone.listing == before)
    }

    @Test("the key and the passphrase file are no outputs either")
    func secretsAsOutput() {
        let before = phone.listing
        for line in [
            "sxkey bundle export sample.sxfe -p passphrase.txt -o passphrase.txt -f",
            "sxkey store export phone -k storage.key -o storage.key -f",
            "sxkey store export phone -k storage.key -o ./storage.key -f",
        ] {
            let run = phone.shell(line)
            #expect(run.status == 1, "\(line)")
            #expect(phone.listing == before, "\(line)")
        }
    }

    @Test("a folder is no output file", arguments: ["phone", "phone/", ".", "..", "/", "phone/."])
    func folder(name: String) {
        let before = phone.listing
        for force in ["", "--force"] {
            let run = phone.shell("sxkey store export phone -k storage.key -o \(name) \(force)")
            #expect(run.status == 1, "\(run.errorText)")
            #expect(run.errorText == "sxkey: error: cannot create \"\(name)\": it is a folder\n")
        }
        #expect(phone.listing == before)
    }

    @Test("devices are never replaced")
    func devices() {
        for device in ["/dev/null", "/dev/full"] {
            let run = phone.shell("sxkey store export phone -k storage.key -o \(device) --force")
            #expect(run.status == 1)
            #expect(run.errorText == "sxkey: error: cannot create \"\(device)\": it is not a regular file\n")
        }
    }

    @Test(
        "a full disk leaves neither target nor temporary file",
        .enabled(if: geteuid() == 0, "needs root to mount a small file system"))
    func fullDisk() throws {
        let peer = "08c4cab788bd5f92f16ff0814022b379"
        try phone.writeStoreFile(SamplePhone.list(4000, peer: peer), "phone/sophax_messages/\(peer).enc")
        let run = phone.shell(
            """
            mkdir small && unshare -m sh -c '
            mount -t tmpfs -o size=256k none small || exit 77
            for format in jsonl text; do sxkey store export phone -k storage.key --format $format -o small/x; echo $?; done
            echo old >small/old
            sxkey store export phone -k storage.key -o small/old -f; echo $?
            cat small/old; ls -A small'
            """)
        if run.status == 77 || run.errorText.contains("unshare") { return }
        #expect(run.outputText == "1\n1\n1\nold\nold\n")
        let line = "sxkey: error: cannot write \"small/%\": no space left on the device"
        #expect(run.errorText.contains(line.replacingOccurrences(of: "%", with: "x")), "\(run.errorText)")
        #expect(run.errorText.contains(line.replacingOccurrences(of: "%", with: "old")))
        #expect(run.errorText.contains("sxkey: hint: nothing was left behind; make room, or name another --out"))
    }

    @Test(
        "a full disk under the copy of a keyring is said of the copy, not of the keyring",
        .enabled(if: geteuid() == 0, "needs root to mount a small file system"))
    func fullDiskUnderCopy() throws {
        try phone.addKeyring()
        let run = phone.shell(
            """
            mkdir small && unshare -m sh -c '
            mount -t tmpfs -o size=16k none small || exit 77
            sxkey keyring backup --keyring \(SampleKeyring.fileName) --keyring-key-file \(SampleKeyring.keyFileName) \
                --out small/copy.sxdb; echo $?; ls -A small'
            """)
        if run.status == 77 || run.errorText.contains("unshare") { return }
        #expect(run.outputText == "1\n")
        #expect(
            run.errorText == """
                sxkey: error: cannot write "small/copy.sxdb": no space left on the device
                sxkey: hint: nothing was left behind; make room, or name another --out

                """, "\(run.errorText)")
    }

    @Test(
        "an interrupt while it works leaves nothing, and says so by the status",
        arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
    func interrupt(signal: String, status: Int32) throws {
        try phone.write("precious", to: "old")
        mkfifo(phone.file("slow"), 0o600)
        let before = phone.listing
        // The shell holds the pipe open without writing, so the program waits in the middle of its work. What a shell
        // starts in the background ignores SIGINT unless told otherwise.
        let run = phone.shell(
            """
            exec 8<>slow
            env --default-signal=INT sxkey bundle export slow -p passphrase.txt -o old --force 8<&- & child=$!
            until [ "$(readlink /proc/$child/exe)" = "$(command -v sxkey)" ]; do sleep 0.01; done
            sleep 0.2; kill -\(signal) $child; wait $child
            """)
        #expect(run.status == status, "\(run.errorText)")
        #expect(run.outputText == "" && run.errorText == "")
        #expect(phone.listing == before)
    }
}
