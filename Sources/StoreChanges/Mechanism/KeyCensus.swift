import CryptoPrimitives
import SophaxFiles
import SystemIO

/// How many files of a store a key opens.
package struct KeyCensus: Sendable {
    package let store: StoreFolder

    package init(_ store: StoreFolder) {
        self.store = store
    }

    private var files: [StoreFile] { store.conversations + store.blobs + store.attachments }

    /// Whether the key opens one of the files; the smallest are tried first. True when there are none.
    package func opensAny(_ key: SharedKey) throws(ChangeError) -> Bool {
        let files = files.sorted { $0.size < $1.size }
        if files.isEmpty { return true }
        var reader = try Self.reader(key)
        for file in files where (try? reader.open(file)) != nil { return true }
        return false
    }

    /// Opens all of them.
    package func count(_ key: SharedKey, workers: Int) throws(ChangeError) -> FileCounts {
        let opened = try parallelMap(
            files, workers: workers,
            makeState: { () throws(ChangeError) in try Self.reader(key) },
            { (reader, file) throws(ChangeError) -> StoreFile? in (try? reader.open(file)) != nil ? file : nil })
        var counts = FileCounts()
        for case let file? in opened { counts.add(file) }
        return counts
    }

    private static func reader(_ key: SharedKey) throws(ChangeError) -> StoreFileReader {
        do throws(StoreFileFailure) {
            return try StoreFileReader(key: key.bytes)
        } catch {
            throw .step("", .other("no memory to read files with"))
        }
    }
}
