import Foundation
import TestSupport
import Testing

/// Pipes that close, disks that are full, and streams that are not there.
@Suite("standard streams")
struct StreamTests {
    private let phone: SamplePhone
    private static let peer = "08c4cab788bd5f92f16ff0814022b379"

    init() throws {
        phone = try SamplePhone()
        let list = SamplePhone.list(3000, peer: Self.peer)
        try phone.write(SamplePhone.backup(messages: [(Self.peer, list)]), to: "big.sophaxbackup")
        try phone.writeStoreFile(list, "phone/sophax_messages/\(Self.peer).enc")
    }

    /// More than a pipe holds, in every form.
    private static let long = [
        "store show phone -k storage.key", "store show phone -k storage.key --json",
        "store export phone -k storage.key -o -", "store export phone -k storage.key -o - --format text",
        "bundle show big.sophaxbackup -p passphrase.txt", "bundle show big.sophaxbackup -p passphrase.txt --json",
        "bundle export big.sophaxbackup -p passphrase.txt -o -",
        "bundle export big.sophaxbackup -p passphrase.txt -o - --format json",
        "bundle export big.sophaxbackup -p passphrase.txt -o - --format text",
        "bundle export big.sophaxbackup -p passphrase.txt -o - --format csv",
        "store export phone -k storage.key -o - --format markdown",
    ]

    /// One of every command that prints.
    private static let all =
        long + [
            "version", "version --json", "--help", "store --help", "store show --help", "completions bash",
            "completions zsh", "completions fish", "store info phone", "store info phone -k storage.key",
            "store verify phone -k storage.key", "store verify phone -k storage.key --json",
            "bundle info sample.sxfe", "bundle verify sample.sxfe -p passphrase.txt",
        ]

    @Test("a reader that goes away ends the program quietly", arguments: long)
    func closedPipe(line: String) {
        let run = phone.shell("sxkey \(line) | head -1; exit ${PIPESTATUS[0]}")
        #expect(run.status == 141)
        #expect(run.errorText == "")
        #expect(run.outputText.split(separator: "\n").count == 1)
    }

    @Test("a full disk is an error that the status tells", arguments: all)
    func fullDisk(line: String) {
        let run = phone.shell("sxkey \(line) >/dev/full")
        #expect(run.status == 1)
        if line.contains("--json") {
            let error = json(run.errorOutput)?["error"] as? [String: Any]
            #expect(error?["code"] as? String == "no-space", "\(run.errorText)")
        } else {
            #expect(
                run.errorText == "sxkey: error: cannot write \"standard output\": no space left on the device\n")
        }
    }

    @Test("no standard output is an error too", arguments: all)
    func closedOutput(line: String) {
        let before = phone.listing
        let run = phone.shell("sxkey \(line) >&-")
        #expect(run.status == 1)
        #expect(run.errorText.contains("cannot write"), "\(run.errorText)")
        #expect(phone.listing == before)
    }

    @Test("no standard error and no standard input change nothing")
    func otherClosedStreams() {
        for line in ["store verify phone -k storage.key", "store info phone"] {
            let usual = phone.shell("sxkey \(line) | sed '1s/ in .*//'; exit ${PIPESTATUS[0]}")
            for streams in ["2>&-", "<&-", "<&- 2>&-"] {
                let run = phone.shell("sxkey \(line) \(streams) | sed '1s/ in .*//'; exit ${PIPESTATUS[0]}")
                #expect(run.status == usual.status)
                #expect(run.output == usual.output)
            }
        }
        for streams in ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
            #expect(phone.shell("sxkey store info nothing \(streams)").status == 10)
        }
    }

    @Test("an output file never gets the number of a closed stream")
    func closedStreamsAndFiles() {
        let run = phone.shell("sxkey store export phone notes -k storage.key -o out.jsonl <&- >&- 2>&-")
        // The report has nowhere to go, and that is said by the status; the file is whole.
        #expect(run.status == 1)
        let lines = phone.text("out.jsonl").split(separator: "\n")
        #expect(lines.count == 4 && lines.allSatisfy { json(Array($0.utf8)) != nil })
    }

    @Test("standard input is the bundle, the key, or the passphrase")
    func standardInput() throws {
        let bundle = try #require(fileBytes(phone.file("sample.sxfe")))
        let info = phone.run("bundle", "info", "-", input: bundle)
        #expect(info.status == 0 && info.outputText.hasPrefix("-\n  Kind         full export"))
        let show = phone.run("bundle", "show", "-", "notes", "-p", "passphrase.txt", input: bundle)
        #expect(show.status == 0 && show.outputText.contains("milk, eggs, coffee"))
        let key = try #require(fileBytes(phone.file("storage.key")))
        #expect(phone.run("store", "show", "phone", "notes", "-k", "-", input: key).status == 0)
        let passphrase = Array("correct horse battery staple\n".utf8)
        #expect(phone.run("bundle", "show", "sample.sxfe", "-p", "-", input: passphrase).status == 0)
        #expect(phone.run("bundle", "show", "sample.sxfe", "--passphrase-fd", "0", input: passphrase).status == 0)
        let fd = phone.shell("sxkey bundle show sample.sxfe --passphrase-fd 3 3<passphrase.txt")
        #expect(fd.status == 0)
        let pipe = phone.shell("sxkey bundle show <(cat sample.sxfe) -p <(cat passphrase.txt)")
        #expect(pipe.status == 0 && pipe.output == fd.output)
        #expect(phone.run("bundle", "info", "-", input: []).status == 4)
    }

    @Test("every success with --json is JSON, line by line where it is a list of messages")
    func jsonOutputs() {
        for line in [
            "version", "store info phone", "store info phone -k storage.key", "store verify phone -k storage.key",
            "bundle info sample.sxfe", "bundle verify sample.sxfe -p passphrase.txt",
            "store export phone -k storage.key -o a.jsonl",
            "bundle export sample.sxfe -p passphrase.txt -o b.json --format json",
            "store attachment phone --all -k storage.key -o pictures",
        ] {
            let run = phone.shell("sxkey \(line) --json")
            #expect([0, 8].contains(run.status), "\(line): \(run.errorText)")
            #expect(json(run.output) != nil, "\(line)")
            #expect(run.outputText.filter { $0 == "\n" }.count == 1, "\(line)")
            #expect(run.errorText == "", "\(line)")
        }
        for line in ["store show phone -k storage.key", "bundle show sample.sxfe -p passphrase.txt"] {
            let run = phone.shell("sxkey \(line) --json")
            #expect(run.outputText.split(separator: "\n").allSatisfy { json(Array($0.utf8)) != nil }, "\(line)")
        }
        let array = try? JSONSerialization.jsonObject(with: Data(fileBytes(phone.file("b.json")) ?? [])) as? [Any]
        #expect(array?.count == 20)
    }
}
