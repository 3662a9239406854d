import Foundation
import TestSupport
import Testing

/// Inputs that are no plain files.
@Suite("input files")
struct InputTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
    }

    @Test("named pipes with a writer are read like files")
    func pipes() {
        let run = phone.shell(
            """
            mkfifo bundle key pw
            cat sample.sxfe >bundle & sxkey bundle info bundle | sed 1d >info1; sxkey bundle info sample.sxfe | sed 1d >info2
            cmp info1 info2 || exit 1
            cat sample.sxfe >bundle & cat passphrase.txt >pw &
            sxkey bundle show bundle notes -p pw || exit 2
            (sleep 0.3; cat storage.key) >key & sxkey store show phone notes -k key || exit 3
            """)
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.errorText == "")
        #expect(run.outputText.split(separator: "\n").count == 8)
    }

    @Test(
        "a named pipe that nobody writes to is given up",
        arguments: [
            "bundle info pipe", "bundle show sample.sxfe -p pipe", "store show phone -k pipe",
        ])
    func noWriter(line: String) {
        mkfifo(phone.file("pipe"), 0o600)
        let before = phone.listing
        let run = phone.shell("sxkey \(line)", seconds: 20)
        #expect(run.status == 1)
        #expect(
            run.errorText
                == "sxkey: error: cannot open \"pipe\": nobody opened this named pipe for writing within 5 seconds\n")
        #expect(phone.listing == before)
    }

    @Test("links are followed, and loops of them are an error")
    func links() {
        symlink("sample.sxfe", phone.file("link.sxfe"))
        symlink("loop2", phone.file("loop1"))
        symlink("loop1", phone.file("loop2"))
        #expect(phone.run("bundle", "info", "link.sxfe").status == 0)
        for (line, operation) in [
            ("bundle info loop1", "open"), ("store info loop1", "list"), ("store show phone -k loop1", "open"),
            ("bundle show sample.sxfe -p loop2", "open"),
        ] {
            let run = phone.shell("sxkey \(line)")
            #expect(run.status == 1)
            #expect(
                run.errorText.hasPrefix("sxkey: error: cannot \(operation) \"loop"), "\(run.errorText)")
            #expect(run.errorText.hasSuffix("\": too many levels of symbolic links\n"), "\(run.errorText)")
        }
    }

    @Test(
        "folders where files belong",
        arguments: [
            "bundle info phone", "bundle show sample.sxfe -p phone", "store show phone -k phone",
            "bundle verify . -p passphrase.txt",
        ])
    func folders(line: String) {
        let run = phone.shell("sxkey \(line)")
        #expect(run.status == 4)
        #expect(run.errorText.hasSuffix("\": it is a folder\n"), "\(run.errorText)")
    }

    @Test(
        "endless files are given up at a limit",
        arguments: [
            ("bundle show sample.sxfe -p /dev/zero", Int32(2), "\"/dev/zero\" is longer than 65536 bytes"),
            ("store show phone -k /dev/zero", 2, "\"/dev/zero\" is longer than 16777216 bytes"),
            ("bundle info /dev/zero", 4, "cannot open \"/dev/zero\": what comes out of it is no export of an app"),
        ])
    func endless(line: String, status: Int32, message: String) {
        let run = phone.shell("sxkey \(line)")
        #expect(run.status == status)
        #expect(run.errorText.hasPrefix("sxkey: error: \(message)\n"), "\(run.errorText)")
    }

    @Test(
        "files that may not be read are named, and cost the others nothing",
        .enabled(if: geteuid() == 0 && ChildProcess.has("setpriv"), "needs root to become nobody"))
    func unreadable() throws {
        // Nobody must reach the program and the files.
        let setup = phone.shell(
            """
            cp "$(command -v sxkey)" sxkey && chmod -R a+rX . && chmod a+rx ..
            chown 65534 storage.key passphrase.txt && chmod 600 storage.key passphrase.txt
            chmod 0 phone/sophax_messages/notetoself.enc sample.sxfe
            """)
        try #require(setup.status == 0, "\(setup.errorText)")
        let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ./sxkey"
        let bundle = phone.shell("\(nobody) bundle verify sample.sxfe -p passphrase.txt")
        #expect(bundle.status == 1)
        #expect(bundle.errorText == "sxkey: error: cannot open \"sample.sxfe\": permission denied\n")
        let show = phone.shell("\(nobody) store show phone -k storage.key")
        #expect(show.status == 3)
        #expect(show.errorText == "sxkey: \"notetoself.enc\": permission denied\n")
        #expect(show.outputText.contains("Hi Ana!"))
        let verify = phone.shell("\(nobody) store verify phone -k storage.key")
        #expect(verify.status == 3)
        #expect(verify.outputText.contains("permission denied"))
        let one = phone.shell("\(nobody) store show phone notes -k storage.key")
        #expect(one.status == 4)
        #expect(one.errorText.hasPrefix("sxkey: error: nothing in \"phone\" can be read: permission denied\n"))
        _ = phone.shell("chmod 0 phone/sophax_messages")
        let folder = phone.shell("\(nobody) store info phone")
        #expect(folder.status == 1)
        #expect(folder.errorText == "sxkey: error: cannot list \"phone/sophax_messages\": permission denied\n")
        let out = phone.shell("\(nobody) bundle export quick.sophaxbackup -p passphrase.txt -o out")
        #expect(out.status == 1)
        #expect(out.errorText == "sxkey: error: cannot create \"out\": permission denied\n")
    }

    @Test("inputs are never changed, not even their times")
    func untouched() throws {
        let times = { phone.shell("find . -type f -printf '%p %T@ %C@ %m\\n' | sort").outputText }
        let before = times()
        for line in [
            "store info phone", "store info phone -k storage.key", "store verify phone -k storage.key",
            "store show phone -k storage.key", "bundle info sample.sxfe", "bundle verify sample.sxfe -p passphrase.txt",
            "bundle show sample.sxfe -p passphrase.txt", "store export phone -k storage.key -o -",
        ] { _ = phone.shell("sxkey \(line)") }
        #expect(times() == before)
        // A read-only file system is enough.
        let readOnly = phone.shell("chmod -R a-w phone && sxkey store verify phone -k storage.key")
        #expect(readOnly.status == 8)
        _ = phone.shell("chmod -R u+w phone")
    }
}
