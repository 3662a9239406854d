import Foundation
import TestSupport
import Testing

/// Large files, little memory, and files that claim more than they are.
@Suite("limits")
struct LimitTests {
    private let phone: SamplePhone
    private static let peer = "08c4cab788bd5f92f16ff0814022b379"

    init() throws {
        phone = try SamplePhone()
    }

    @Test("a conversation of 30 MB is verified in little memory")
    func memory() throws {
        let list = SamplePhone.list(LongTests.areWanted ? 170_000 : 60_000, peer: Self.peer)
        try phone.writeStoreFile(list, "phone/sophax_messages/\(Self.peer).enc")
        let run = phone.shell(
            "ulimit -v \(LongTests.areWanted ? 600_000 : 400_000); sxkey store verify phone -k storage.key --json",
            seconds: 110)
        #expect(run.status == 8, "\(run.errorText)")
        let counts = json(run.output)?["counts"] as? [String: Int]
        #expect(counts?["ok"] == (LongTests.areWanted ? 170_028 : 60_028))
    }

    @Test("too little memory for one file costs no other, and is no crash")
    func tooLittleMemory() {
        let run = phone.shell(
            """
            truncate -s 2G phone/sophax_messages/notetoself.enc
            ulimit -v 400000; sxkey store verify phone -k storage.key; status=$?
            sxkey store show phone notes -k storage.key; exit $((status * 10 + $?))
            """)
        #expect(run.status == 34, "\(run.outputText) \(run.errorText)")
        #expect(run.outputText.contains("notetoself: no memory for 21474"), "\(run.outputText)")
        #expect(run.outputText.contains("read 25 · ok 25"))
        #expect(run.errorText.hasPrefix("sxkey: error: nothing in \"phone\" can be read: no memory for 2.1 GB\n"))
    }

    @Test("a sparse file of 5 GiB is refused without being read")
    func sparseStoreFile() {
        let run = phone.shell(
            "truncate -s 5G phone/sophax_messages/notetoself.enc; ulimit -v 400000; ulimit -t 20; sxkey store verify phone -k storage.key"
        )
        #expect(run.status == 3, "\(run.errorText)")
        #expect(run.outputText.contains("it is larger than 4294967296 bytes"), "\(run.outputText)")
        let show = phone.shell("ulimit -v 400000; sxkey store show phone -k storage.key")
        #expect(show.status == 3)
        #expect(show.outputText.contains("Hi Ana!"))
    }

    @Test("a sparse export, attachment, passphrase and key of 5 GiB are refused without being read")
    func otherSparseFiles() throws {
        let id = try #require(FolderListing(phone.file("phone/sophax_attachments")).names.first)
        for (name, line, status, words) in [
            ("sample.sxfe", "bundle verify sample.sxfe -p passphrase.txt", Int32(1), "5.4 GB are more than 2 GB"),
            (
                "phone/sophax_attachments/\(id)", "store verify phone -k storage.key", 3,
                "it is larger than 4294967296 bytes"
            ),
            ("passphrase.txt", "bundle verify quick.sophaxbackup -p passphrase.txt", 2, "is longer than 65536 bytes"),
            ("storage.key", "store show phone -k storage.key", 2, "is longer than 16777216 bytes"),
        ] {
            let run = phone.shell("truncate -s 5G \(name); ulimit -v 400000; ulimit -t 20; sxkey \(line)")
            #expect(run.status == status, "\(line) \(run.errorText)")
            #expect((run.outputText + run.errorText).contains(words), "\(line) \(run.outputText) \(run.errorText)")
        }
    }

    @Test("many small conversations and many threads")
    func manyFiles() throws {
        for number in 0..<300 {
            let digits = String(number)
            let peer = String(repeating: "0", count: 32 - digits.count) + digits
            try phone.writeStoreFile(SamplePhone.list(2, peer: peer), "phone/sophax_messages/\(peer).enc")
        }
        let outputs = ["1", "2", "7", "256"].map { jobs in
            phone.shell("sxkey store export phone -k storage.key -o - --jobs \(jobs)")
        }
        #expect(outputs.allSatisfy { $0.status == 0 && $0.output == outputs[0].output })
        let verify = phone.shell("ulimit -n 64; sxkey store verify phone -k storage.key --json --jobs 256")
        #expect(verify.status == 8)
        #expect((json(verify.output)?["counts"] as? [String: Int])?["ok"] == 628)
    }
}
