import SophaxCore
import SophaxFiles
import Synchronization
import SystemIO

/// Unites two stores in a new one: messages by their ids (`MessageMerge`), attachments and other files by their names.
///
/// Neither store is changed. What does not authenticate and what nobody knows comes along byte for byte; of two files with
/// one name and different contents both are kept, the second under a name that no app looks for.
package struct StoreMerge: Sendable {
    package let first: MergeInput
    package let second: MergeInput
    private let workers: Int

    package init(_ first: MergeInput, _ second: MergeInput, workers: Int) {
        self.first = first
        self.second = second
        self.workers = workers
    }

    /// What will be made.
    package struct Plan: Sendable {
        package let unions: [ConversationUnion]
        let files: [PlannedFile]
        package internal(set) var attachments = FileTally()
        package internal(set) var others = FileTally()
        /// Files that do not authenticate, of which nothing is known but their bytes.
        package internal(set) var damaged: [FilePath] = []
        /// Links, sockets and the like, which are not carried.
        package internal(set) var notCarried: [FilePath] = []
        /// Bytes that are read.
        package let bytes: Int
        /// Bytes of each file that will be written, about.
        let sizes: [Int]
        /// Both stores before anything of them was read.
        let seen: [SeenFolders]
    }

    /// Files of one kind.
    package struct FileTally: Equatable, Sendable {
        /// Of the first store.
        package internal(set) var first = 0
        /// Of the second one: taken over, there already, or there with another content.
        package internal(set) var new = 0
        package internal(set) var alreadyThere = 0
        /// The names under which they come along.
        package internal(set) var conflicting: [FilePath] = []

        package var second: Int { new + alreadyThere + conflicting.count }
    }

    /// Reads both stores and says what will be made. Nothing is written.
    ///
    /// Errors: `.wrongKey` with which of the two; `.file`, `.step`.
    package func plan(progress: @Sendable (Int) -> Void = { _ in }) throws(MergeError) -> Plan {
        let (seen, first, second) = try look()
        let (one, two) = try (survey(first, .first, progress), survey(second, .second, progress))
        let unions = UnionBuilder(one, two).unions
        do throws(ChangeError) {
            var builder = MergedFiles(first, second, one, two, unions, workers: workers)
            try builder.build()
            return Plan(
                unions: unions, files: builder.files, attachments: builder.attachments, others: builder.others,
                damaged: builder.damaged, notCarried: builder.notCarried,
                bytes: first.folder.totalBytes + second.folder.totalBytes,
                sizes: [first, second].flatMap { input in
                    let folder = input.folder
                    return (folder.conversations + folder.blobs + folder.attachments + folder.foreign).map(\.size)
                }, seen: seen)
        } catch {
            throw .change(error)
        }
    }

    /// What both folders hold, and then the stores in them: what comes later is seen at the end.
    private func look() throws(MergeError) -> ([SeenFolders], MergeInput, MergeInput) {
        do throws(ChangeError) {
            let seen = [try SeenFolders(first.folder), try SeenFolders(second.folder)]
            return (seen, try first.lookedAtAgain(), try second.lookedAtAgain())
        } catch {
            throw .change(error)
        }
    }

    private func survey(
        _ input: MergeInput, _ which: MergeError.Which, _ progress: @Sendable (Int) -> Void
    ) throws(MergeError) -> StoreReport {
        let report: StoreReport
        do throws(StoreFileFailure) {
            report = try StoreSurvey(input.folder, now: 0, workers: workers, includesAttachments: false)
                .run(key: input.key.bytes, progress: progress)
        } catch {
            throw .survey(error, which)
        }
        guard !report.isWrongKey else {
            // Attachments are left aside so far: one of them may prove the key.
            var reader: StoreFileReader
            do throws(StoreFileFailure) { reader = try StoreFileReader(key: input.key.bytes) } catch {
                throw .survey(error, which)
            }
            for file in input.folder.attachments.reversed() where (try? reader.open(file)) != nil { return report }
            throw .wrongKey(which)
        }
        return report
    }

    /// Merges in memory and counts.
    package func count(_ plan: Plan) throws(ChangeError) -> [ConversationUnion.Result] {
        let (firstKey, secondKey) = (first.key, second.key)
        return try parallelMap(plan.unions, workers: workers) { union throws(ChangeError) in
            do throws(ChangeStepFailure) {
                return try union.merged(firstKey, secondKey).result
            } catch {
                throw .step(union.target, error)
            }
        }
    }

    /// Makes the new store at `place`.
    ///
    /// Errors: those of `NewStore`; `.changing` where one of the two stores is not as it was when the plan was made.
    package func run(
        _ plan: Plan, at place: ChangePlace, newKey: SharedKey, date: String, _ turn: consuming ChangeTurn,
        progress: @Sendable (Int) -> Void = { _ in }
    ) throws(ChangeError) -> (outcome: ChangeOutcome, results: [ConversationUnion.Result]) {
        let ledger = Ledger()
        let (firstKey, secondKey) = (first.key, second.key)
        let written = plan.unions.map { union in
            PlannedFile(union.target, .write(Self.produced(union, firstKey, secondKey, ledger: ledger)))
        }
        var store = try NewStore(
            .merge, at: place, written + plan.files, oldKey: firstKey, newKey: newKey, workers: workers, date: date)
        store.expectedSizes = plan.sizes
        store.beforePublishing = { () throws(ChangeError) in
            for folders in plan.seen { try folders.compare() }
        }
        let outcome = try store.run(turn, progress: progress)
        let results = ledger.results.withLock { $0 }
        return (outcome, plan.unions.compactMap { results[$0.target] })
    }

    /// What each conversation came to, filled by the threads that write them.
    private final class Ledger: Sendable {
        let results = Mutex<[FilePath: ConversationUnion.Result]>([:])
    }

    private static func produced(
        _ union: ConversationUnion, _ firstKey: SharedKey, _ secondKey: SharedKey, ledger: Ledger
    ) -> ProducedText {
        ProducedText(
            produce: { (_) throws(ChangeStepFailure) in
                let (text, result) = try union.merged(firstKey, secondKey)
                ledger.results.withLock { $0[union.target] = result }
                return text
            },
            check: { (_, text) throws(ChangeStepFailure) in try union.check(text, firstKey, secondKey) })
    }
}

/// Why two stores could not be read for a merge.
package enum MergeError: Error, Sendable {
    package enum Which: Sendable { case first, second }

    /// The key opens not one of the files.
    case wrongKey(Which)
    case survey(StoreFileFailure, Which)
    case change(ChangeError)
}
