import CommandKit
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// Files that were cut off, changed, or grew on the way: each is refused with the error that fits, and nothing is left.
@Suite("damaged exports")
struct BundleDamageTests {
    private let folder = TemporaryFolder()

    /// Status and message that the format's layout calls for.
    private typealias Verdict = (status: CommandStatus, message: String)

    private func verify(_ bytes: [UInt8], _ specimen: BundleSpecimen) -> CommandRun {
        folder.write(bytes, to: specimen.fileName)
        folder.write(BundleSpecimen.passphrase, to: "pw")
        return CommandRun.run(["bundle", "verify", folder.file(specimen.fileName), "-p", folder.file("pw")])
    }

    private func expect(_ bytes: [UInt8], _ specimen: BundleSpecimen, _ verdict: Verdict, _ what: String) {
        let run = verify(bytes, specimen)
        let message = run.error(in: folder.path)
        #expect(run.status == verdict.status && message == verdict.message, "\(what): \(run.status), \(message)")
        #expect(run.output.isEmpty, "\(what)")
    }

    private func cannotOpen(_ specimen: BundleSpecimen, _ why: String) -> String {
        "cannot open \"\(specimen.fileName)\": \(why)"
    }

    private func notAuthentic(_ specimen: BundleSpecimen) -> Verdict {
        (.wrongSecret, cannotOpen(specimen, "wrong passphrase, or the file is damaged"))
    }

    @Test("every export opens as long as nobody touched it", arguments: BundleSpecimen.all)
    func untouched(specimen: BundleSpecimen) throws {
        let run = verify(try specimen.bytes(), specimen)
        #expect([.success, .finding].contains(run.status), "\(run.errors)")
    }

    @Test("every truncation is told", arguments: BundleSpecimen.all)
    func truncations(specimen: BundleSpecimen) throws {
        let bytes = try specimen.bytes()
        for length in 0..<bytes.count {
            let verdict: Verdict
            if length == 0 {
                verdict = (.unreadable, cannotOpen(specimen, "it is empty"))
            } else if length < 4, specimen.recipe.kind != .android {
                verdict = (.unreadable, cannotOpen(specimen, "it is not a known export"))
            } else if length < specimen.minimum {
                // An identity export that ends before its version byte could be a short one of version 1.
                let minimum = specimen.description == "SXID v2" && length == 4 ? specimen.minimum - 4 : specimen.minimum
                let article = specimen.title.first.map { "aeiouA".contains($0) } == true ? "an" : "a"
                verdict = (
                    .unreadable,
                    cannotOpen(
                        specimen,
                        "it is cut off: \(length) bytes, where \(article) \(specimen.title) has at least \(minimum)")
                )
            } else {
                verdict = notAuthentic(specimen)
            }
            expect(Array(bytes.prefix(length)), specimen, verdict, "\(length) bytes")
        }
        #expect(folder.names == [specimen.fileName, "pw"].sorted())
    }

    @Test("every changed bit is found", arguments: BundleSpecimen.all)
    func bitFlips(specimen: BundleSpecimen) throws {
        let bytes = try specimen.bytes()
        for place in bytes.indices {
            // Of the text one bit a byte, unless there is time.
            let bits = place < specimen.headerLength || LongTests.areWanted ? Array(0..<8) : [place % 8]
            for bit in bits {
                var changed = bytes
                changed[place] ^= 1 << bit
                guard let verdict = verdict(changed, specimen, at: place) else {
                    // The version byte of a backup only orders the tries.
                    #expect([.success, .finding].contains(verify(changed, specimen).status), "bit \(bit) of \(place)")
                    continue
                }
                expect(changed, specimen, verdict, "bit \(bit) of byte \(place)")
            }
        }
    }

    private func verdict(_ changed: [UInt8], _ specimen: BundleSpecimen, at place: Int) -> Verdict? {
        if specimen.recipe.kind == .android { return notAuthentic(specimen) }
        if place < 4 { return (.unreadable, cannotOpen(specimen, "it is not a known export")) }
        if place == 4 {
            guard let newest = specimen.newestVersion else { return nil }
            let found = changed[4]
            return found == 0
                ? (.unreadable, cannotOpen(specimen, "no app has written \(article(specimen)) of version 0"))
                : (
                    .newerVersion,
                    cannotOpen(
                        specimen,
                        "it is \(article(specimen)) of version \(found), and this sxkey knows versions up to \(newest)")
                )
        }
        if place < 9, specimen.hasIterations {
            let count = changed[5..<9].reduce(0) { $0 << 8 | Int($1) }
            if count > CommandRun.quick.iterationCeiling {
                let digits = Quantity.count(count)
                return (
                    .unreadable,
                    cannotOpen(
                        specimen, "its header asks for \(digits) key derivation iterations; sxkey does at most 1,000")
                )
            }
        }
        return notAuthentic(specimen)
    }

    private func article(_ specimen: BundleSpecimen) -> String {
        (specimen.title.first == "i" || specimen.title.first == "A" ? "an " : "a ") + specimen.title
    }

    @Test("bytes after the end are found", arguments: BundleSpecimen.all)
    func trailingBytes(specimen: BundleSpecimen) throws {
        let bytes = try specimen.bytes()
        for tail in [[0], [0x0A], [UInt8](repeating: 0, count: 4096), bytes] {
            expect(bytes + tail, specimen, notAuthentic(specimen), "\(tail.count) bytes more")
        }
    }

    @Test("a damaged export writes nothing and leaves an old output alone", arguments: BundleSpecimen.all)
    func outputs(specimen: BundleSpecimen) throws {
        var bytes = try specimen.bytes()
        bytes[bytes.count - 1] ^= 1
        folder.write(bytes, to: specimen.fileName)
        folder.write(BundleSpecimen.passphrase, to: "pw")
        folder.write("old", to: "old.jsonl")
        let before = FolderListing(folder.path)
        for arguments in [["--out", folder.file("new.jsonl")], ["--out", folder.file("old.jsonl"), "--force"]] {
            let run = CommandRun.run(
                ["bundle", "export", folder.file(specimen.fileName), "-p", folder.file("pw")] + arguments)
            #expect(run.status == .wrongSecret)
            #expect(FolderListing(folder.path) == before)
        }
    }

    @Test("files of every size that are no export", arguments: [1, 3, 4, 5, 28, 29, 44, 45, 49, 53, 66, 70, 10_000])
    func noise(size: Int) {
        for fill in [UInt8(0), 0xFF, UInt8(ascii: "{")] {
            folder.write([UInt8](repeating: fill, count: size), to: "x")
            let run = CommandRun.run(["bundle", "verify", folder.file("x")])
            #expect(run.status == .unreadable)
            #expect(run.error(in: folder.path) == "cannot open \"x\": it is not a known export")
            // Without magic anything may be an Android backup; only the passphrase can tell.
            let android = CommandRun.run(["bundle", "verify", folder.file("x"), "--kind", "android"])
            #expect(android.status == (size < 45 ? .unreadable : .usage), "\(android.errors)")
        }
    }
}
