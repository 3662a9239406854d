import CryptoPrimitives
import SophaxFiles
import StoreChanges
import SystemIO

/// Merges what a bundle holds into a store that is there: messages by their id, attachments and queues where there is none of
/// that name.
///
/// What the store has stays. A queue or attachment that is there with other bytes is left as it is, and named.
package struct MergingRestore: Sendable {
    package let unit: ChangeUnit
    package let key: SharedKey
    package let takes: Set<BundlePart>
    package let keeps: Bool
    package let workers: Int
    package let date: String
    /// Unix seconds.
    package let now: Double

    package init(
        _ unit: ChangeUnit, key: SharedKey, takes: Set<BundlePart>, keeps: Bool, workers: Int, date: String,
        now: Double
    ) {
        self.unit = unit
        self.key = key
        self.takes = takes
        self.keeps = keeps
        self.workers = workers
        self.date = date
        self.now = now
    }

    /// What would be done: the bundle is read to its end, nothing is written.
    package func plan<Source: EntrySource>(
        _ source: Source, progress: @escaping (Int) -> Void = { _ in }
    ) throws(RestoreFailure) -> RestoredStore {
        let targets = RestoreTargets(
            source.manifest, takes: takes, peerIDs: PresentStore.peerIDs(of: unit))
        do throws(EntryError) {
            return try RestoreSink.plan(source, targets, present: try present(targets), readAt: now, progress: progress)
        } catch {
            throw .entries(error)
        }
    }

    /// Does it. `turn` is for the unit, with `recover` done.
    package func run<Source: EntrySource>(
        _ turn: consuming ChangeTurn, _ source: Source, progress: @escaping (Int) -> Void = { _ in }
    ) throws(RestoreFailure) -> (restored: RestoredStore, outcome: ChangeOutcome) {
        let targets = RestoreTargets(
            source.manifest, takes: takes, peerIDs: PresentStore.peerIDs(of: unit))
        let present: PresentStore
        do throws(EntryError) { present = try self.present(targets) } catch { throw .entries(error) }
        // Files of the conversations that the bundle has are written anew; all others stay as they are.
        let planned = present.replaced(by: targets).map { file in
            PlannedFile(unit.place(of: file), .leaveOut(reason: "merged with the bundle's messages"))
        }
        var restored = RestoredStore()
        var failure: EntryError?
        var store = Optional(consume present)
        do throws(ChangeError) {
            let plan = try ChangePlan(.restore, unit, planned)
            let change = StoreChange(plan, oldKey: key, keeps: keeps, workers: workers, date: date)
            let outcome = try change.run(
                turn,
                adding: { (addition) throws(ChangeError) in
                    restored = try RestoreSink.fill(
                        &addition, from: source, targets, present: store.take(), readAt: now, progress: progress,
                        failure: &failure)
                })
            return (restored, outcome)
        } catch {
            if let failure { throw .entries(failure) }
            throw .change(error)
        }
    }

    private func present(_ targets: RestoreTargets) throws(EntryError) -> PresentStore {
        do throws(StoreFileFailure) {
            return try PresentStore(unit, key: key, targets)
        } catch {
            throw .storeFile(unit.path, error)
        }
    }
}
