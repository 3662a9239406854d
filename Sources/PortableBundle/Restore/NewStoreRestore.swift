import SophaxFiles
import StoreChanges
import SystemIO

/// Why a store was not restored.
package enum RestoreFailure: Error, Equatable, Sendable {
    /// The bundle.
    case entries(EntryError)
    /// The store.
    case change(ChangeError)

    /// The store stands under its name in spite of the error.
    package var isMade: Bool {
        if case .change(.changedButNotCleared) = self { true } else { false }
    }
}

/// Makes a new store of what a bundle holds.
package struct NewStoreRestore: Sendable {
    package let place: ChangePlace
    package let key: SharedKey
    package let takes: Set<BundlePart>
    /// Today as `yyyy-MM-dd`.
    package let date: String
    /// Unix seconds.
    package let now: Double

    package init(at place: ChangePlace, key: SharedKey, takes: Set<BundlePart>, date: String, now: Double) {
        self.place = place
        self.key = key
        self.takes = takes
        self.date = date
        self.now = now
    }

    /// What would be done.
    package static func plan<Source: EntrySource>(
        _ source: Source, takes: Set<BundlePart>, now: Double, progress: @escaping (Int) -> Void = { _ in }
    ) throws(RestoreFailure) -> RestoredStore {
        do throws(EntryError) {
            return try RestoreSink.plan(
                source, RestoreTargets(source.manifest, takes: takes), readAt: now, progress: progress)
        } catch {
            throw .entries(error)
        }
    }

    /// Does it: the folder appears whole, each file proven by reading it back, or not at all. A bundle is sent once; it is
    /// proven when its last byte was right, and only then the folder gets its name.
    package func run<Source: EntrySource>(
        _ source: Source, progress: @escaping (Int) -> Void = { _ in }
    ) throws(RestoreFailure) -> (restored: RestoredStore, outcome: ChangeOutcome) {
        let targets = RestoreTargets(source.manifest, takes: takes)
        var restored = RestoredStore()
        var failure: EntryError?
        let outcome: ChangeOutcome
        do throws(ChangeError) {
            var turn = try ChangeTurn(for: place)
            // What an interrupted run left of it.
            _ = try turn.recover()
            var store = try NewStore(
                .restore, at: place, [], oldKey: key, newKey: key, workers: 1, date: date)
            store.expectedSizes = targets.files.map(\.size)
            outcome = try store.run(
                turn,
                adding: { (addition) throws(ChangeError) in
                    restored = try RestoreSink.fill(
                        &addition, from: source, targets, readAt: now, progress: progress, failure: &failure)
                })
        } catch {
            if let failure { throw .entries(failure) }
            throw .change(error)
        }
        return (restored, outcome)
    }
}
