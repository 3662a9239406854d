import CommandKit
import CryptoPrimitives
import PortableBundle
import SophaxFiles
import StoreChanges
import SystemIO

/// `--store` of `bundle restore`, and where the store's key comes from or goes to.
struct RestoreStoreOptions: Sendable {
    let path: FilePath
    /// Opens a store that is there.
    let keyFile: FilePath?
    let newKeyFile: FilePath?
    let keyOut: FilePath?
    let identity: [UInt8]?
    private let takes: Set<BundlePart>
    private let keeps: Bool

    /// Nil where no store is restored.
    init?(_ arguments: ParsedArguments) throws(UsageError) {
        keyFile = arguments.path("key-file")
        newKeyFile = arguments.path("new-key-file")
        keyOut = arguments.path("key-out")
        identity = arguments.value("identity")
        keeps = !arguments.flag("no-keep")
        let takesAttachments = !arguments.flag("no-attachments")
        takes = takesAttachments ? [.conversations, .blobs, .attachments] : [.conversations, .blobs]
        let keys = [("key-file", keyFile), ("new-key-file", newKeyFile), ("key-out", keyOut)].filter { $0.1 != nil }
        if keys.count > 1 { throw .conflict(keys[0].0, keys[1].0) }
        guard let path = arguments.path("store") else {
            if let option = keys.first?.0 { throw .other("--\(option) is the key of a store; name it with --store") }
            if !takesAttachments || !keeps || identity != nil {
                throw .other("--no-attachments, --no-keep and --identity are about a store; name it with --store")
            }
            return nil
        }
        self.path = path
        if keyOut == "-" { throw .other("a key is not written to standard output", hint: "name a file") }
    }

    /// The key is given, or written, as a file.
    var hasKeyFile: Bool { keyFile != nil || newKeyFile != nil || keyOut != nil }

    /// Where the store goes.
    enum Place {
        case new(ChangePlace)
        /// There is one already.
        case present(ChangeUnit)
    }

    /// Looks at the place and at what must be there or must not, before anything is read.
    func look(
        _ context: Context, _ inputs: [FileIdentity], isDryRun: Bool
    ) throws(CommandError) -> Place {
        if !isDryRun, newKeyFile != nil || keyOut != nil { try finish(context) }
        if let keyOut {
            do throws(FileError) {
                try OutputFile.check(keyOut, replacing: false, notSameAs: inputs)
            } catch {
                throw .output(error)
            }
        }
        do throws(ChangeError) {
            guard (try? fileStatus(at: path, followingLinks: false)) != nil else {
                if keyFile != nil { throw .folder(.file(FileError(.open, path, .notFound))) }
                return .new(try ChangePlace(new: path))
            }
            if newKeyFile != nil || keyOut != nil { throw .exists(path) }
            return .present(try ChangeUnit(of: path, .messagesAndAttachments))
        } catch {
            throw .change(error, .restore, path)
        }
    }

    /// Ends a restoring into this folder that was interrupted after the folder had its name, and says so.
    private func finish(_ context: Context) throws(CommandError) {
        guard let place = try? ChangePlace(of: path), InterruptedChange.isLeft(by: .restore, at: place) else { return }
        do throws(ChangeError) {
            var turn = try ChangeTurn(for: place)
            guard try turn.recover().contains(.finished(.restore, kept: nil)) else { return }
        } catch {
            throw .change(error, .restore, path)
        }
        context.console.note(
            "sxkey: note: \(quoted: path) was made and proven by a run that was interrupted; it is finished now")
    }

    func restore(
        _ bundle: OpenedInput, _ place: Place, _ storageMaster: SharedKey?, _ workers: Int, _ isDryRun: Bool,
        _ context: Context
    ) throws(CommandError) -> RestoredStoreReport {
        switch place {
        case .new(let place): try make(bundle, place, storageMaster, isDryRun, context)
        case .present(let unit): try merge(bundle, unit, storageMaster, workers, isDryRun, context)
        }
    }

    // MARK: - A new store

    private func make(
        _ bundle: OpenedInput, _ place: ChangePlace, _ storageMaster: SharedKey?, _ isDryRun: Bool, _ context: Context
    ) throws(CommandError) -> RestoredStoreReport {
        let (key, origin) = try newKey(storageMaster, isDryRun, context)
        let progress = context.progress
        progress.begin("Restoring", total: bundle.source.manifest.totalBytes, unit: .bytes)
        defer { progress.finish() }
        do throws(RestoreFailure) {
            if isDryRun {
                let planned = try NewStoreRestore.plan(bundle.source, takes: takes, now: context.now) {
                    progress.advance(by: $0)
                }
                return RestoredStoreReport(path: path, restored: planned, isNew: true, key: origin, takes: takes)
            }
            let restore = NewStoreRestore(
                at: place, key: key, takes: takes, date: StoreChangeOptions.date(context), now: context.now)
            let (restored, _) = try restore.run(bundle.source) { progress.advance(by: $0) }
            return RestoredStoreReport(path: path, restored: restored, isNew: true, key: origin, takes: takes)
        } catch {
            // A store that stands although something failed behind it needs its key.
            if let keyOut, !isDryRun, !error.isMade { try? removeFile(keyOut) }
            throw said(error, bundle)
        }
    }

    /// The key of the new store, which is in a safe place before anything is encrypted under it.
    private func newKey(
        _ storageMaster: SharedKey?, _ isDryRun: Bool, _ context: Context
    ) throws(CommandError) -> (SharedKey, TerminalText) {
        if let newKeyFile {
            return (SharedKey(try KeyFileOption.read(newKeyFile, context)), "the key in \(quoted: newKeyFile)")
        }
        if let keyOut {
            let key: SharedKey
            do throws(SecretMemoryError) {
                key = SharedKey(try context.randomness.secret(StoreKey.length))
            } catch {
                throw .storeFile(.outOfMemory(requested: StoreKey.length))
            }
            if !isDryRun { try StoreKeyFile.write(key, to: keyOut, context) }
            return (key, "a new key, in \(quoted: keyOut)")
        }
        guard let storageMaster else { throw .bundleFailure(.making(.noStoreKey(path))) }
        return (storageMaster, "storage.master of the identity")
    }

    // MARK: - A store that is there

    private func merge(
        _ bundle: OpenedInput, _ seen: ChangeUnit, _ storageMaster: SharedKey?, _ workers: Int, _ isDryRun: Bool,
        _ context: Context
    ) throws(CommandError) -> RestoredStoreReport {
        let key: SharedKey
        if let keyFile {
            key = SharedKey(try KeyFileOption.read(keyFile, context))
        } else if let storageMaster {
            key = storageMaster
        } else {
            throw .bundleFailure(.making(.noStoreKey(path)))
        }
        let origin: TerminalText = keyFile.map { "the key in \(quoted: $0)" } ?? "storage.master of the identity"
        let progress = context.progress
        progress.begin("Restoring", total: bundle.source.manifest.totalBytes, unit: .bytes)
        defer { progress.finish() }
        do throws(RestoreFailure) {
            if isDryRun {
                let planned = try self.merging(seen, key, workers, context).plan(bundle.source) {
                    progress.advance(by: $0)
                }
                return RestoredStoreReport(path: path, restored: planned, isNew: false, key: origin, takes: takes)
            }
            let turn = try turn(seen)
            let (restored, outcome) = try merging(try settled(), key, workers, context).run(turn, bundle.source) {
                progress.advance(by: $0)
            }
            return RestoredStoreReport(
                path: path, restored: restored, isNew: false, key: origin, takes: takes, outcome: outcome)
        } catch {
            throw said(error, bundle)
        }
    }

    private func merging(
        _ unit: ChangeUnit, _ key: SharedKey, _ workers: Int, _ context: Context
    ) -> MergingRestore {
        MergingRestore(
            unit, key: key, takes: takes, keeps: keeps, workers: workers, date: StoreChangeOptions.date(context),
            now: context.now)
    }

    /// Takes the turn, and settles what an interrupted run left.
    private func turn(_ seen: ChangeUnit) throws(RestoreFailure) -> ChangeTurn {
        do throws(ChangeError) {
            var turn = try ChangeTurn(for: seen)
            _ = try turn.recover()
            return turn
        } catch {
            throw .change(error)
        }
    }

    /// The folder as it is after that.
    private func settled() throws(RestoreFailure) -> ChangeUnit {
        do throws(ChangeError) {
            return try ChangeUnit(of: path, .messagesAndAttachments)
        } catch {
            throw .change(error)
        }
    }

    private func said(_ failure: RestoreFailure, _ bundle: OpenedInput) -> CommandError {
        switch failure {
        case .entries(let error): .entries(error, bundle.path)
        case .change(let error): .change(error, .restore, path)
        }
    }
}
