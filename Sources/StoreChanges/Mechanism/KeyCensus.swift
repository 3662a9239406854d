import SophaxFiles
import SystemIO

/// How many files of a store a key opens.
package struct KeyCensus: Sendable {
    package let store: StoreFolder

    package init(_ store: StoreFolder) {
        self.store = store
    }

    private var files: [StoreFile] { store.conversations + store.blobs + store.attachments }

    /// How many there are.
    package var total: Int { files.count }

    /// Whether the key opens one of the files; the smallest are tried first. True when there are none.
    package func opensAny(_ key: SharedKey) throws(ChangeError) -> Bool {
        try KeyProof.opensAny(of: files, key)
    }

    /// Opens all of them.
    package func count(_ key: SharedKey, workers: Int) throws(ChangeError) -> FileCounts {
        let failures = try KeyProof.failures(of: files, key, workers: workers)
        var counts = FileCounts()
        for (file, failure) in zip(files, failures) where failure == nil { counts.add(file) }
        return counts
    }
}
