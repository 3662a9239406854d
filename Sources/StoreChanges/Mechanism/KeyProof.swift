import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Opens files of a plan with the old key before anything is written.
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

    /// Whether the key opens one of the files; true when there are none. The smallest are tried first.
    func opensAny() throws(ChangeError) -> Bool {
        try opensAny(of: files + replaced)
    }

    private func opensAny(of files: [StoreFile]) throws(ChangeError) -> Bool {
        let files = files.sorted { $0.size < $1.size }
        if files.isEmpty { return true }
        var reader = try Self.reader(key)
        for file in files {
            if let signal = Interrupts.requested { throw .interrupted(signal: signal) }
            if (try? reader.open(file)) != nil { return true }
        }
        return false
    }

    /// What would be carried over without proof, all of it opened for that. Errors: `.wrongKey` and others.
    func unproven() throws(ChangeError) -> [CarriedFile] {
        let files = files
        let failures = try parallelMap(
            files, workers: workers,
            makeState: { () throws(ChangeError) in try Self.reader(key) },
            { (reader, file) throws(ChangeError) -> StoreFileFailure? in
                if let signal = Interrupts.requested { throw .interrupted(signal: signal) }
                do throws(StoreFileFailure) {
                    _ = try reader.open(file)
                    return nil
                } catch {
                    return error
                }
            })
        if !files.isEmpty, failures.allSatisfy({ $0 != nil }) {
            let replaced = replaced
            if replaced.isEmpty { throw .wrongKey }
            guard try opensAny(of: replaced) else { throw .wrongKey }
        }
        let unopened = zip(files, failures).compactMap { file, failure in
            failure.map { CarriedFile(path: plan.unit.place(of: file), reason: .notAuthentic($0)) }
        }
        let lost = plan.notCarried.map { CarriedFile(path: $0, reason: .unknown) }
        return unopened + plan.carried.filter { !$0.reason.isKnown } + lost
    }

    private static func reader(_ key: SharedKey) throws(ChangeError) -> StoreFileReader {
        do throws(StoreFileFailure) {
            return try StoreFileReader(key: key.bytes)
        } catch {
            throw .step("", .other("no memory to read files with"))
        }
    }
}
