import CommandKit
import Keyring
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle merge`
struct BundleMerge: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "merge",
        summary: "make one bundle of two",
        discussion: [
            "The new bundle has what either has, each thing once; the two may be of any kinds, and stay as they are. Messages are united "
                + "by conversation and id: of one that differs only in status, receipts, reactions, edits or expiry the newest is taken; two "
                + "different messages with one id are both kept, and named. The same goes for attachments. Where both have a private item "
                + "with different values, the newer counts and the other stays beside it. Merging again adds nothing.",
            "Bundles of two identities are not merged. Of a .sxb for keys that was not signed by one of your own identities or a verified "
                + "contact, verified marks, the history of keys and sessions stay behind, with a warning: the new one would be trusted.",
        ],
        operands: [
            OperandSpecification("A", .file, .one, "a bundle: an export of an app, or a .sxb of sxkey"),
            OperandSpecification("B", .file, .one, "the bundle to merge it with"),
        ],
        options: BundleOutput.specifications + BundleInputs.severalOptions + [IdentityOption.specification],
        examples: [
            Example(
                "sxkey bundle merge sample.sophaxbackup sample.sxfe -p passphrase.txt -p passphrase.txt --out both.sxb --new-passphrase-file passphrase.txt",
                "a backup and a full export in one bundle")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "the new kind cannot hold all of it, and --lossy is not given"),
            StatusNote(.usage, "the passphrase is shorter than the reader takes"),
            StatusNote(.someDamaged, "some of the inputs could not be read; the rest is in the new bundle"),
            StatusNote(.unreadable, "cut off, damaged, or not a known bundle"), StatusNote(.wrongSecret),
            StatusNote(.newerVersion),
            StatusNote(.finding, "they belong to two identities; nothing was written"),
            StatusNote(.wouldOverwrite), StatusNote(.notFound, "no such bundle, recipient or identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let output: BundleOutput
    private let bundles: BundleInputs
    private let identity: [UInt8]?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        output = try BundleOutput(arguments)
        bundles = try BundleInputs(arguments, operands: ["A", "B"])
        identity = arguments.value("identity")
        if output.recipients.readsStandardInput, bundles.secrets.readsStandardInput || bundles.paths.contains("-") {
            throw .other("standard input cannot give two things")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let inputs = bundles.inputs(context) + output.recipients.inputs
        try output.check(notSameAs: inputs)
        let opened = try bundles.open(context)
        var keyring: OpenedKeyring?
        var signer: KeyringIdentity?
        // A bundle for keys is looked up in the keyring and signed by an identity of it.
        if output.recipients.needsKeyring || identity != nil {
            let found = try context.openKeyring(bundles.secrets.keyring, .readOnly)
            keyring = found
            signer = try found.identity(identity)
        }
        let first = try opened[0].trustedSource(context)
        let second = try opened[1].trustedSource(context)
        context.progress.begin("Merging", total: 0, unit: .items)
        let merged: MergedSource<AnyEntrySource, AnyEntrySource>
        do throws(MergeError) {
            merged = try MergedSource(
                first, second, createdAt: context.now, creator: Program.creator)
        } catch {
            context.progress.finish()
            switch error {
            case .otherIdentity(let first, let second):
                throw .bundleFailure(.otherIdentities(opened[0].path, first, opened[1].path, second))
            case .entries(let failure, let isFirst): throw .entries(failure, opened[isFirst ? 0 : 1].path)
            }
        }
        context.progress.finish()
        let writing = BundleWriting(output: output, inputs: inputs)
        let written = try writing.write(AnyEntrySource(merged), keyring: keyring, signer: signer, context)
        let report = MergedBundle(paths: bundles.paths, report: merged.report, written: BundleWritten(written: written))
        context.console.present(report)
        return report.status
    }
}

/// What was merged, and what was written.
private struct MergedBundle: Report {
    let paths: [FilePath]
    let report: MergeReport
    let written: BundleWritten

    var status: ExitStatus { report.notMerged.isEmpty || written.status != .success ? written.status : .someDamaged }

    private static let shown = 10

    func writeText(to stream: TextStream) {
        stream.line("Merged \(paths[0]) (A) and \(paths[1]) (B)")
        stream.line()
        var table = Table([
            .init(""), .init("BOTH", .right), .init("ONLY A", .right), .init("ONLY B", .right),
            .init("UPDATED", .right), .init("CONFLICTING", .right),
        ])
        for part in BundlePart.allCases {
            guard let counts = report.counts[part], counts != MergeReport.Counts() else { continue }
            table.add([
                part.title, "\(count: counts.same)", "\(count: counts.fromFirst)", "\(count: counts.fromSecond)",
                "\(count: counts.updated)", "\(count: counts.conflicting)",
            ])
        }
        if !table.isEmpty { table.write(to: stream) }
        if !report.notes.isEmpty { stream.line() }
        for note in report.notes.prefix(Self.shown) {
            let place: TerminalText = note.conversation.map { " in \($0.text.bytes)" } ?? ""
            stream.line("  \(TerminalText(trusted: "note", .yellow))  \(note.name.bytes)\(place): \(note.detail)")
        }
        if report.notes.count > Self.shown {
            stream.line("        and \(report.notes.count - Self.shown) more \(trusted: "(--json lists them)", .dim)")
        }
        for entry in report.notMerged {
            stream.line(
                "  \(TerminalText(trusted: "left out", .yellow))  \(entry.name) of \(paths[entry.isFirst ? 0 : 1]) (\(size: entry.bytes)): only a later version of sxkey knows what it is"
            )
        }
        stream.line()
        written.writeText(to: stream)
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("merged") { json in
                json.array(BundlePart.allCases.filter { report.counts[$0] != nil }) { json, part in
                    let counts = report[part]
                    json.object { json in
                        json.member("part", part.rawValue)
                        json.member("same", counts.same)
                        json.member("onlyFirst", counts.fromFirst)
                        json.member("onlySecond", counts.fromSecond)
                        json.member("updated", counts.updated)
                        json.member("conflicting", counts.conflicting)
                    }
                }
            }
            json.member("notes") { json in
                json.array(report.notes) { json, note in
                    json.object { json in
                        json.member("part", note.part.rawValue)
                        json.member("name", note.name.bytes)
                        if let conversation = note.conversation {
                            json.member("conversation", conversation.text.bytes)
                        }
                        json.member("detail", note.detail)
                    }
                }
            }
            json.member("notMerged") { json in
                json.array(report.notMerged) { json, entry in
                    json.object { json in
                        json.member("name", entry.name)
                        json.member("bytes", entry.bytes)
                        json.member("bundle", entry.isFirst ? "first" : "second")
                    }
                }
            }
            json.member("written") { json in written.writeJSON(to: &json) }
            json.member("exit", Int(status.rawValue))
        }
    }
}
