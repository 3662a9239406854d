import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Salvages what can be read of the files of a store that do not authenticate, into a folder of its own.
package struct StoreSalvage: Sendable {
    package let folder: StoreFolder
    package let includesAttachments: Bool
    package let workers: Int

    package init(_ folder: StoreFolder, includesAttachments: Bool, workers: Int) {
        self.folder = folder
        self.includesAttachments = includesAttachments
        self.workers = workers
    }

    /// A file that did not authenticate, and what came of it.
    package struct Item: Sendable {
        package let file: StoreFile
        /// Nil when not even its bytes could be read; `failure` says why.
        package let damage: SalvageDamage?
        package let failure: StoreFileFailure?
        package var messages = 0
        package var fragments = 0
        /// Below the folder; nil when nothing was written.
        package var output: FilePath?
        package var isAttachment = false
    }

    /// What a run came to. `files` = `authentic` + `items` + `skipped`.
    package struct Outcome: Sendable {
        package let files: Int
        package let authentic: Int
        package let items: [Item]
        /// Attachments that do not authenticate and were not asked for.
        package let skipped: Int

        package var salvaged: Int { items.count { $0.output != nil } }
        package var failed: Int { items.count { $0.output == nil } }
        package var messages: Int { items.reduce(0) { $0 + $1.messages } }
        package var fragments: Int { items.reduce(0) { $0 + $1.fragments } }
        /// Not one file authenticates, and none that fails looks like text: the key belongs to another store.
        package var isWrongKey: Bool {
            authentic == 0 && salvaged == 0 && items.contains { $0.damage?.kind == .noise || $0.isAttachment }
        }
    }

    /// Why nothing could be done.
    package enum Failure: Error, Sendable {
        case store(StoreFileFailure)
        case output(FileError)
    }

    private enum Part: Sendable {
        case messages, blob, attachment
    }

    private struct Job: Sendable {
        let file: StoreFile
        let part: Part
    }

    /// Bytes that a run reads first, for progress.
    package var totalBytes: Int { folder.totalBytes }

    /// Opens every file, and decrypts those that fail without their tag.
    package func run(
        key: borrowing SecretBytes, into target: inout SalvageFolder, progress: @Sendable (Int) -> Void = { _ in }
    ) throws(Failure) -> Outcome {
        let jobs =
            folder.conversations.map { Job(file: $0, part: .messages) }
            + folder.blobs.map { Job(file: $0, part: .blob) }
            + folder.attachments.map { Job(file: $0, part: .attachment) }
        return try run(jobs, failures: failures(of: jobs, key: key, progress), key: key, into: &target)
    }

    /// Why each file cannot be opened; nil for those that are authentic.
    private func failures(
        of jobs: [Job], key: borrowing SecretBytes, _ progress: @Sendable (Int) -> Void
    ) throws(Failure) -> [StoreFileFailure?] {
        do throws(StoreFileFailure) {
            return try parallelMap(
                jobs, workers: workers,
                makeState: { () throws(StoreFileFailure) in try StoreFileReader(key: key) },
                { (reader, job) throws(StoreFileFailure) -> StoreFileFailure? in
                    defer { progress(job.file.size) }
                    do throws(StoreFileFailure) {
                        _ = try reader.open(job.file)
                        return nil
                    } catch {
                        return error
                    }
                })
        } catch {
            throw .store(error)
        }
    }

    private func run(
        _ jobs: [Job], failures: [StoreFileFailure?], key: borrowing SecretBytes, into target: inout SalvageFolder
    ) throws(Failure) -> Outcome {
        let authentic = failures.count { $0 == nil }
        var reader = try Self.reader(key)
        var items: [Item] = []
        var skipped = 0
        // Messages come first: where they are text, the key is proven to fit as well as it can be.
        var keyFits = authentic > 0
        for (job, failure) in zip(jobs, failures) {
            guard let failure else { continue }
            if job.part == .attachment, !includesAttachments {
                skipped += 1
                continue
            }
            guard failure == .notAuthentic || failure.isTooShort else {
                items.append(Item(file: job.file, damage: nil, failure: failure, isAttachment: job.part == .attachment))
                continue
            }
            let item = try salvage(job, &reader, keyFits: keyFits, into: &target)
            if item.output != nil { keyFits = true }
            items.append(item)
        }
        return Outcome(files: jobs.count, authentic: authentic, items: items, skipped: skipped)
    }

    private enum Salvaged {
        case text(SalvagedText)
        case content(SalvagedContent)
    }

    private func salvage(
        _ job: Job, _ reader: inout SalvageReader, keyFits: Bool, into target: inout SalvageFolder
    ) throws(Failure) -> Item {
        let salvaged: Salvaged
        do throws(StoreFileFailure) {
            switch job.part {
            case .messages: salvaged = .text(try reader.messages(of: job.file))
            case .blob: salvaged = .text(try reader.blob(job.file))
            case .attachment: salvaged = .content(try reader.content(of: job.file))
            }
        } catch {
            return Item(file: job.file, damage: nil, failure: error, isAttachment: job.part == .attachment)
        }
        do throws(FileError) {
            switch salvaged {
            case .text(let text):
                return try Self.write(
                    text, in: job.part == .blob ? SalvageFolder.blobs : SalvageFolder.messages, &target)
            case .content(let content): return try Self.write(content, keyFits: keyFits, &target)
            }
        } catch {
            throw .output(error)
        }
    }

    private static func write(
        _ salvaged: SalvagedText, in part: FilePath, _ target: inout SalvageFolder
    ) throws(FileError) -> Item {
        var item = Item(file: salvaged.file, damage: salvaged.damage, failure: nil)
        item.messages = salvaged.messages.count
        item.fragments = salvaged.fragments.count
        guard salvaged.damage.leavesText, item.messages + item.fragments > 0 else { return item }
        let name = FilePath(bytes: salvaged.file.stem.bytes)
        item.output = try target.write(name, suffix: ".jsonl", in: part) { (write) throws(FileError) in
            try SalvageLines(salvaged).write { (bytes) throws(FileError) in try write(bytes.span) }
        }
        return item
    }

    private static func write(
        _ salvaged: SalvagedContent, keyFits: Bool, _ target: inout SalvageFolder
    ) throws(FileError) -> Item {
        var damage = salvaged.damage
        // Bytes that are no known kind of file may be noise under a wrong key.
        if !keyFits, salvaged.fileType == nil, damage.leavesText { damage = SalvageDamage(.noise) }
        var item = Item(file: salvaged.file, damage: damage, failure: nil, isAttachment: true)
        guard damage.leavesText else { return item }
        let name = FilePath(bytes: salvaged.file.stem.bytes)
        let suffix = "." + (salvaged.fileType?.rawValue ?? "bin")
        item.output = try target.write(name, suffix: suffix, in: SalvageFolder.attachments) {
            (write) throws(FileError) in try write(salvaged.bytes.span)
        }
        return item
    }

    private static func reader(_ key: borrowing SecretBytes) throws(Failure) -> SalvageReader {
        do throws(StoreFileFailure) { return try SalvageReader(key: key) } catch { throw .store(error) }
    }
}

extension StoreFileFailure {
    fileprivate var isTooShort: Bool {
        if case .tooShort = self { true } else { false }
    }
}
