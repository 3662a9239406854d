import SophaxFiles
import SystemIO

/// Opens the files of a plan before anything is written, and after all of it is.
struct KeyProof {
    let plan: ChangePlan
    let key: SharedKey
    let workers: Int

    /// Files that are opened with the old key.
    private var files: [StoreFile] {
        plan.files.compactMap { file in
            if case .reseal(let from, nil) = file.action { from } else { nil }
        }
    }

    /// Old files of the store that a verb makes new ones of.
    private var replaced: [StoreFile] {
        var places: Set<FilePath> = []
        for file in plan.files {
            if case .write(_, let replacing) = file.action { places.formUnion(replacing) }
        }
        guard !places.isEmpty else { return [] }
        let store = plan.unit.store
        return (store.conversations + store.blobs + store.attachments)
            .filter { places.contains(plan.unit.place(of: $0)) }
    }

    /// Whether the key opens one of the files; true when there are none.
    func opensAny() throws(ChangeError) -> Bool {
        try Self.opensAny(of: files + replaced, key)
    }

    /// What would be carried over without proof, all of it opened for that. Errors: `.wrongKey` and others.
    func unproven() throws(ChangeError) -> [CarriedFile] {
        let files = files
        let failures = try Self.failures(of: files, key, workers: workers)
        if !files.isEmpty, failures.allSatisfy({ $0 != nil }) {
            let replaced = replaced
            if replaced.isEmpty { throw .wrongKey }
            guard try Self.opensAny(of: replaced, key) else { throw .wrongKey }
        }
        let unopened = zip(files, failures).compactMap { file, failure in
            failure.map { CarriedFile(file, at: plan.unit.place(of: file), $0) }
        }
        let lost = plan.notCarried.map { CarriedFile(path: $0, reason: .unknown) }
        return unopened + plan.carried.filter { !$0.reason.isKnown } + lost
    }

    /// Reads the new folder once more, past the kernel's memory, from the disk that it was synced to: the old one is about to
    /// go, and there will be no other copy. Errors: `.notProven`.
    func proveOnDisk(_ draft: FilePath) throws(ChangeError) {
        let targets = plan.files.compactMap { file in
            switch file.action {
            case .reseal, .write: draft.appending(file.target)
            case .carry, .leaveOut: nil
            }
        }
        _ = try parallelMap(
            targets, workers: workers,
            makeState: { () throws(ChangeError) in try FileOpener(key) },
            { (opener, path) throws(ChangeError) in
                if try opener.failure(path, fromDisk: true) != nil { throw .notProven(path, reason: .text) }
            })
    }

    // MARK: - Any files

    /// The smallest are tried first.
    static func opensAny(of files: [StoreFile], _ key: SharedKey) throws(ChangeError) -> Bool {
        if files.isEmpty { return true }
        var opener = try FileOpener(key)
        for file in files.sorted(by: { $0.size < $1.size }) where try opener.failure(file.path) == nil { return true }
        return false
    }

    /// Why each does not open; nil for one that does.
    static func failures(
        of files: [StoreFile], _ key: SharedKey, workers: Int
    ) throws(ChangeError) -> [StoreFileFailure?] {
        try parallelMap(
            files, workers: workers,
            makeState: { () throws(ChangeError) in try FileOpener(key) },
            { (opener, file) throws(ChangeError) in try opener.failure(file.path) })
    }
}
