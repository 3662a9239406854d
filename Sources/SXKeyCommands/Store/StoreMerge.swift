import CommandKit
import CryptoPrimitives
import SophaxFiles
import StoreChanges
import SystemIO

/// `sxkey store merge`
struct StoreMergeCommand: Command {
    private static let keyFile = OptionSpecification.value(
        "key-file", short: "k", "FILE", .file,
        "the key of each store, twice in the order of the stores: 32 raw bytes, hex, base64, or keychain items as JSON",
        isRepeatable: true)
    private static let keySource = [keyFile] + StoreKeySource.options.filter { $0.name != "key-file" }

    static let specification = CommandSpecification(
        noun: "store", verb: "merge",
        summary: "unite two stores in a new one, by the ids of messages",
        discussion: [
            "Every message of either store is in the new one, once. A message of both that differs only in status, receipts, "
                + "reactions, a later edit, expiry or a field that one of them lacks is changed: the newest is taken, and everybody's "
                + "receipts and reactions. Two messages that share an id and differ in anything else are conflicting: both are kept, "
                + "and listed.",
            "Messages are in the order of the first store, those that only the second has between them by time. Peer ids of 16 and "
                + "32 digits are one person, and are written as the first store has them. What newer apps require is added, and files "
                + "of older name rules go together with the newer ones.",
            "Attachments are united by their ids, other files by their names; of two with one name and different contents both "
                + "are kept, the second with .second behind its name, which no app looks for. What the keys do not open, and what no app "
                + "makes, comes along as it is and is listed.",
            "Neither store is changed. The new one is encrypted under the key of the first, or that of --new-key-file; it is built "
                + "beside its name, read back, and held against both stores, of which no message may be missing. Merging the result with "
                + "either store again adds nothing.",
        ],
        operands: [
            OperandSpecification(
                "FIRST", .folder, .one,
                "the folder that holds sophax_messages and sophax_attachments, or sophax_messages itself"),
            OperandSpecification("SECOND", .folder, .one, "the other store"),
        ],
        options: [
            .value("out", short: "o", "DIR", .folder, "make the new store here; the folder must not exist"),
            .value(
                "new-key-file", "FILE", .file,
                "the key of the new store: 32 raw bytes, hex, base64, or keychain items as JSON"),
            StoreChangeOptions.dryRun, StoreArguments.jobs,
        ] + keySource,
        examples: [
            Example(
                "sxkey store merge phone phone --key-file storage.key --key-file storage.key --out merged",
                "unite two stores; here the second is the first again, and adds nothing"),
            Example(
                "sxkey store merge phone phone -k storage.key -k storage.key --dry-run",
                "see what would be new, changed and conflicting"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "something could not be read; it came along as it was"),
            StatusNote(.wrongSecret, "a key opens not one of its store's files; nothing was written"),
            StatusNote(.locked, "another process is making this store"),
            StatusNote(.finding, "messages or files are conflicting: both are kept"),
            StatusNote(.wouldOverwrite, "the folder of --out exists already"), StatusNote(.notFound),
            StatusNote(.interrupted),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let paths: [FilePath]
    private let keyFiles: [FilePath]
    private let newKeyFile: FilePath?
    private let source: StoreKeySource
    private let out: FilePath?
    private let isDryRun: Bool
    private let jobs: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = [arguments.operandPath("FIRST"), arguments.operandPath("SECOND")]
        keyFiles = arguments.values("key-file").map { FilePath(bytes: $0) }
        newKeyFile = arguments.path("new-key-file")
        source = try StoreKeySource(arguments)
        out = arguments.path("out")
        isDryRun = arguments.flag("dry-run")
        jobs = arguments.number("jobs")
        guard keyFiles.isEmpty || keyFiles.count == paths.count else {
            throw .other(
                "--key-file is given \(count: keyFiles.count, "time") for two stores",
                hint: "give it twice, in the order of the stores, also when both have one key")
        }
        if out == nil, !isDryRun { throw .other("--out is missing", hint: "name a folder that does not exist yet") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folders = [try folder(paths[0]), try folder(paths[1])]
        if !isDryRun, let out, try finish(out, context) {
            context.console.present(FinishedMerge(out: out))
            return .success
        }
        let place = try out.map { path throws(CommandError) in try self.place(path, folders) }
        let keys = [try key(0, folders[0], context), try key(1, folders[1], context)]
        let newKey = try newKeyFile.map { path throws(CommandError) in
            SharedKey(try KeyFileOption.read(path, context))
        }
        let merge = StoreMerge(
            MergeInput(folders[0], key: keys[0]), MergeInput(folders[1], key: keys[1]),
            workers: jobs ?? context.workers)
        if isDryRun { return try show(merge, context) }
        guard let place, let out else { return .usage }
        Interrupts.beginOrderlyWork()
        defer { Interrupts.endOrderlyWork() }
        var turn = try change { () throws(ChangeError) in try ChangeTurn(for: place) }
        let recovered: [Recovery]
        do throws(ChangeError) { recovered = try turn.recover() } catch { throw .change(error, .merge, out) }
        for recovery in recovered {
            if let text = recovery.text { context.console.note("sxkey: \(text)") }
        }
        let plan = try plan(merge, context)
        let progress = context.progress
        progress.begin("Merging", total: plan.bytes, unit: .bytes)
        defer { progress.finish() }
        let done: (outcome: ChangeOutcome, results: [ConversationUnion.Result])
        do throws(ChangeError) {
            done = try merge.run(
                plan, at: place, newKey: newKey ?? keys[0], date: StoreChangeOptions.date(context), turn,
                progress: { progress.advance(by: $0) })
        } catch {
            throw .change(error, .merge, out)
        }
        progress.finish()
        let report = StoreMergeReport(
            paths: paths, out: out, plan: plan, results: done.results, outcome: done.outcome)
        context.console.present(report)
        return report.status
    }

    private func show(_ merge: StoreMerge, _ context: Context) throws(CommandError) -> ExitStatus {
        let plan = try plan(merge, context)
        let results: [ConversationUnion.Result]
        do throws(ChangeError) {
            results = try merge.count(plan)
        } catch {
            throw .change(error, .merge, out ?? paths[0])
        }
        let report = StoreMergeReport(paths: paths, out: out, plan: plan, results: results, outcome: nil)
        context.console.present(report)
        return report.status
    }

    private func plan(_ merge: StoreMerge, _ context: Context) throws(CommandError) -> StoreMerge.Plan {
        let progress = context.progress
        let total = (merge.first.folder.conversations + merge.second.folder.conversations).reduce(0) { $0 + $1.size }
        progress.begin("Reading", total: total, unit: .bytes)
        defer { progress.finish() }
        do throws(MergeError) {
            return try merge.plan { progress.advance(by: $0) }
        } catch {
            switch error {
            case .wrongKey(.first): throw .wrongStoreKey(paths[0])
            case .wrongKey(.second): throw .wrongStoreKey(paths[1])
            case .survey(let failure, _): throw .storeFile(failure)
            case .change(let error): throw .change(error, .merge, out ?? paths[0])
            }
        }
    }

    private func folder(_ path: FilePath) throws(CommandError) -> StoreFolder {
        do throws(StoreFolderError) { return try StoreFolder(at: path) } catch { throw .folder(error) }
    }

    /// Ends a merge into this folder that was interrupted after the folder had its name; false when there is none.
    private func finish(_ path: FilePath, _ context: Context) throws(CommandError) -> Bool {
        guard let place = try? ChangePlace(of: path), InterruptedChange.isLeft(by: .merge, at: place) else {
            return false
        }
        var turn = try change { () throws(ChangeError) in try ChangeTurn(for: place) }
        let recovered: [Recovery]
        do throws(ChangeError) { recovered = try turn.recover() } catch { throw .change(error, .merge, path) }
        return recovered.contains(.finished(.merge, kept: nil))
    }

    /// Where the new store will be: not inside of the two that must not change.
    private func place(_ path: FilePath, _ folders: [StoreFolder]) throws(CommandError) -> ChangePlace {
        let place = try change { () throws(ChangeError) in try ChangePlace(new: path) }
        // The operand itself, too: what stands in it belongs to the store, and the next change of it would carry it along.
        for (operand, folder) in zip(paths, folders) {
            for source in [operand, folder.messagesPath, folder.attachmentsPath].compactMap({ $0 }) {
                guard let own = try? resolvedPath(source) else { continue }
                let beginning = own.bytes + [UInt8(ascii: "/")]
                if place.path.bytes.starts(with: beginning) { throw .change(.badTarget(path), .merge, source) }
            }
        }
        return place
    }

    private func change<R: ~Copyable>(_ work: () throws(ChangeError) -> R) throws(CommandError) -> R {
        do throws(ChangeError) { return try work() } catch { throw .change(error, .merge, out ?? paths[0]) }
    }

    private func key(_ number: Int, _ folder: StoreFolder, _ context: Context) throws(CommandError) -> SharedKey {
        guard keyFiles.isEmpty else { return SharedKey(try KeyFileOption.read(keyFiles[number], context)) }
        return try source.read(context, opening: folder).shared()
    }
}

/// A merge that an earlier run had made, and this one only tidied up behind.
private struct FinishedMerge: Report {
    let out: FilePath

    func writeText(to stream: TextStream) {
        stream.line(
            "\(quoted: out): made and proven already, by a run that was interrupted; it is finished now, and nothing was read again"
        )
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("out", out.bytes)
            json.member("verb", ChangeVerb.merge.rawValue)
            json.member("finished", true)
            json.member("exit", 0)
        }
    }
}
