import CommandKit
import CryptoPrimitives
import SophaxFiles
import StoreChanges
import SystemIO

/// `sxkey store salvage`
struct StoreSalvageCommand: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "salvage",
        summary: "decrypt what is left of damaged files, without proof, into a folder of its own",
        discussion: [
            "For files that \"store verify\" calls damaged and \"store repair\" cannot mend. The check that every file has is left "
                + "out: nothing that comes out is proven, and every message is marked so, with the reason and the place where damage "
                + "was seen. Files that are authentic are not touched; \"store export\" has these.",
            "Of a file that was cut off, the messages before the cut come out whole and the rest as text. Where bytes were changed, "
                + "everything comes out, and which letters are wrong cannot be told: a changed byte of the file is a changed byte of "
                + "the text, and may look like any other.",
            "Nothing is ever written into a store. The folder of --out gets messages/NAME.jsonl (sxkey-formats(5)), other/NAME.jsonl "
                + "for the app's other files, and with --attachments attachments/ID with an ending that fits the content.",
        ],
        operands: [StoreArguments.folderOperand],
        options: StoreKeySource.options + [
            .flag("unauthenticated", "needed: I know that nothing that comes out is proven"),
            .value("out", short: "o", "DIR", .folder, "the folder to make, outside the store", isRequired: true),
            .flag("attachments", "damaged attachments as well"), StoreArguments.jobs,
        ],
        examples: [
            Example(
                "sxkey store salvage phone --unauthenticated --key-file storage.key --out rescued",
                "save what can be read of files that are damaged")
        ],
        exitStatuses: [
            StatusNote(.success, "every file is authentic: there is nothing to salvage, and nothing was written"),
            StatusNote(.someDamaged, "some files are damaged; what came out of them is written, and is not proven"),
            StatusNote(.unreadable, "nothing came out of any file"),
            StatusNote(.wrongSecret, "the key opens not one of the files, and none looks like text under it"),
            StatusNote(.wouldOverwrite), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let store: StoreArguments
    private let out: FilePath
    private let includesAttachments: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
        out = arguments.requiredPath("out")
        includesAttachments = arguments.flag("attachments")
        if !arguments.flag("unauthenticated") {
            throw .other(
                "nothing that salvage writes is proven to be what was written",
                hint: "say --unauthenticated if that is understood; \"sxkey store repair\" mends what can be proven")
        }
        if out == "-" { throw .other("salvage writes a folder, not standard output") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try store.folder()
        var target: SalvageFolder
        do throws(SalvageFolder.Refusal) {
            target = try SalvageFolder(at: out, outside: folder)
        } catch {
            throw .salvage(error, out)
        }
        let opened = try store.source.read(context)
        let salvage = StoreSalvage(
            folder, includesAttachments: includesAttachments, workers: store.workers(context))
        let progress = context.progress
        progress.begin("Looking for damage", total: salvage.totalBytes, unit: .bytes)
        let outcome: StoreSalvage.Outcome
        do throws(StoreSalvage.Failure) {
            outcome = try salvage.run(key: opened.key, into: &target) { progress.advance(by: $0) }
        } catch {
            switch error {
            case .store(let failure): throw .storeFile(failure)
            case .output(let failure): throw .output(failure)
            }
        }
        progress.finish()
        if outcome.isWrongKey { throw .wrongStoreKey(store.path) }
        let isMade = target.isMade
        do throws(FileError) { try target.publish() } catch { throw .output(error) }
        let report = SalvageReport(path: store.path, out: isMade ? out : nil, outcome: outcome)
        context.console.present(report)
        return report.status
    }
}

/// What a salvage came to.
struct SalvageReport: Report {
    let path: FilePath
    /// Nil when nothing was written.
    let out: FilePath?
    let outcome: StoreSalvage.Outcome

    var status: ExitStatus {
        if outcome.items.isEmpty && outcome.skipped == 0 { return .success }
        return outcome.salvaged == 0 && outcome.authentic == 0 ? .unreadable : .someDamaged
    }

    private var counts: [(name: String, value: Int)] {
        [
            ("read", outcome.files), ("authentic", outcome.authentic), ("salvaged", outcome.salvaged),
            ("skipped", outcome.skipped), ("failed", outcome.failed),
        ]
    }

    func writeText(to stream: TextStream) {
        if let out {
            stream.line(
                "Salvaged \(count: outcome.messages, "message") of \(path) into \(out): \(trusted: "NOT AUTHENTICATED", .red)"
            )
            stream.line()
        }
        for item in outcome.items { write(item, to: stream) }
        if outcome.skipped > 0 {
            stream.line(
                "  skipped   \(count: outcome.skipped, "damaged attachment"): --attachments salvages attachments as well"
            )
        }
        if outcome.salvaged > 0 {
            stream.line()
            stream.line("Any letter may have been changed; which messages are as they were written cannot be told.")
        }
        if outcome.authentic > 0 {
            let them: TerminalText = outcome.authentic == 1 ? "it" : "them"
            stream.line(
                "\(count: outcome.authentic, "file is", "files are") authentic: use \"sxkey store export\" for \(them)."
            )
        }
        stream.line("\(trusted: counts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))")
    }

    private func write(_ item: StoreSalvage.Item, to stream: TextStream) {
        let name: TerminalText = "\(item.file.path.lastComponent)"
        guard let output = item.output else {
            stream.line("  \(trusted: "failed   ", .red) \(name): \(reason(of: item))")
            return
        }
        stream.line("  \(trusted: "salvaged ", .yellow) \(name): \(reason(of: item))")
        let content: TerminalText =
            item.isAttachment
            ? "its bytes"
            : "\(count: item.messages, "message") and \(count: item.fragments, "fragment") of text"
        stream.line("              \(content) → \(output)")
    }

    private func reason(of item: StoreSalvage.Item) -> TerminalText {
        guard let damage = item.damage else { return "\(trusted: item.failure?.reason ?? "it cannot be read")" }
        let place: TerminalText = damage.offset.map { ", seen at byte \($0) of the text" } ?? ""
        return "\(trusted: damage.kind.sentence)\(place)"
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("out", out?.bytes)
            json.member("authenticated", false)
            json.member("counts") { json in
                json.object { json in
                    for count in counts { json.member(count.name, count.value) }
                    json.member("messages", outcome.messages)
                    json.member("fragments", outcome.fragments)
                }
            }
            json.member("items") { json in
                json.array(outcome.items) { json, item in
                    json.object { json in
                        json.member("file", item.file.path.lastComponent.bytes)
                        json.member("reason", item.damage?.kind.rawValue ?? "unreadable")
                        json.member("meaning", item.damage?.kind.sentence ?? item.failure?.reason)
                        json.member("damageOffset", item.damage?.offset)
                        json.member("messages", item.messages)
                        json.member("fragments", item.fragments)
                        json.member("output", item.output?.bytes)
                    }
                }
            }
            json.member("exit", Int(status.rawValue))
        }
    }
}

extension SalvageDamage.Kind {
    /// In plain words; lower case, no full stop.
    var sentence: String {
        switch self {
        case .cutOff: "cut off in the middle of its text"
        case .tagCutOff: "cut off behind its text: the text looks whole, and its tag is gone"
        case .bytesAppended: "something was appended to it, or its end was changed"
        case .altered: "changed somewhere; where is not known"
        case .noise: "noise under this key: the key does not belong to this file, or its first 12 bytes are damaged"
        case .nothingLeft: "nothing is left of its text"
        }
    }
}

extension CommandError {
    static func salvage(_ refusal: SalvageFolder.Refusal, _ out: FilePath) -> CommandError {
        switch refusal {
        case .file(let error): .output(error)
        case .insideStore: .insideStore(out)
        }
    }
}
