import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// A message store, opened with its key: conversations, what waits beside them, and attachments.
///
/// The manifest comes first in a bundle, so everything is read twice: once to prove it and to learn sizes and sums, on all
/// threads, and once to send it. A file that changed between is an error, not a wrong bundle.
package struct StoreSource: EntrySource {
    /// Something of the store that is not in the bundle, or not whole.
    package struct Problem: Sendable {
        package enum Kind: Sendable {
            /// The file cannot be read, or does not authenticate.
            case failure(StoreFileFailure)
            /// The file is authentic, but some of it is not strict JSON; with the messages that could not be kept.
            case text(problems: [TextProblem], lost: Int)
            /// No file of an app.
            case foreign
        }

        package let file: StoreFile
        package let kind: Kind
    }

    package let manifest: Manifest
    package let folder: StoreFolder
    package let problems: [Problem]
    /// Messages that stand in two files of one conversation and are in the bundle once.
    package let merged: Int

    let plan: StorePlan
    private let key: StoreSourceKey

    /// Reads the whole store once. `progress` gets bytes that were read, on any thread.
    ///
    /// Throws only where nothing at all can be done; a file that fails is among the problems.
    package init(
        _ folder: StoreFolder, key: borrowing SecretBytes, createdAt: Double, creator: String, workers: Int,
        includesAttachments: Bool = true, progress: @Sendable (Int) -> Void = { _ in }
    ) throws(EntryError) {
        let held: StoreSourceKey
        do throws(SecretMemoryError) { held = StoreSourceKey(try key.copy()) } catch { throw .memory(error) }
        let plan = try StorePlan(
            folder, key: held, workers: workers, includesAttachments: includesAttachments, progress: progress)
        var omissions = plan.omissions
        if !includesAttachments {
            omissions.append(.init(.attachments, .notAsked))
        } else if folder.attachmentsPath == nil {
            omissions.append(.init(.attachments, .notInSource))
        }
        for part in [BundlePart.identity, .preKeys, .contacts, .groups, .sessions] {
            omissions.append(.init(part, .notInSource))
        }
        self.folder = folder
        self.plan = plan
        self.key = held
        problems = plan.problems
        merged = plan.merged
        manifest = Manifest(
            createdAt: createdAt, creator: creator, entries: plan.entries.map(\.entry), notIncluded: omissions)
    }

    /// Not one file authenticates, and some only for that reason: the key is another one.
    package var isWrongKey: Bool {
        plan.entries.isEmpty
            && problems.contains { if case .failure(.notAuthentic) = $0.kind { true } else { false } }
    }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        var worker: StorePlan.Worker
        do throws(StoreFileFailure) {
            worker = try StorePlan.Worker(key)
        } catch {
            throw .storeFile(folder.messagesPath, error)
        }
        var groups = StorePlan.GroupCache()
        for planned in plan.entries {
            switch planned.origin {
            case .conversation(let id, let places):
                try sink.begin(planned.entry)
                var text = ConversationPieces(isInSeveral: places.count > 1)
                for place in places {
                    let messages = groups.messages(of: id, in: plan.groups[place], at: place, &worker.reader)
                    try text.send(group: messages, to: &sink)
                }
                guard text.finish() == planned.sum else { throw .changed(plan.groups[places[0]].files[0].path) }
                try sink.end(planned.entry)
            case .file(let file, let mark):
                try sink.begin(planned.entry)
                guard try worker.stream.read(file.path, into: &sink) == mark else { throw .changed(file.path) }
                try sink.end(planned.entry)
            }
        }
    }
}

/// A key that a source keeps as long as it may be read.
final class StoreSourceKey: Sendable {
    let key: SecretBytes

    init(_ key: consuming SecretBytes) {
        self.key = key
    }
}
