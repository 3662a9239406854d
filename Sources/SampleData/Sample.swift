import CryptoPrimitives
import SophaxCore
import SophaxFiles
import SystemIO

/// Why no sample could be made.
package enum SampleError: Error, Hashable, Sendable {
    case file(FileError)
    case bundle(BundleError)
    /// No guarded memory, or a library failed.
    case failed
}

/// A small phone to try sxkey on: a message store with its key, two exports with their passphrase, and its keychain.
///
/// Sealed with sxkey's own code, in the formats of the apps. The store has what a real one has after a year: an orphaned
/// file of an older group, a conversation that newer apps cannot read, an expired message, messages waiting to be sent.
package struct Sample: Sendable {
    /// Opens both exports.
    package static let passphrase = "correct horse battery staple"

    /// A file of the sample, by its path inside the folder.
    package struct File: Sendable {
        package let path: FilePath
        package let bytes: [UInt8]
    }

    package static let storeFolder: FilePath = "phone"
    package static let keyFile: FilePath = "storage.key"
    package static let passphraseFile: FilePath = "passphrase.txt"
    package static let backupFile: FilePath = "sample.sophaxbackup"
    package static let fullExportFile: FilePath = "sample.sxfe"
    /// A bundle of prekeys of Bob, as the newest app writes it.
    package static let bundleFile: FilePath = "bob.json"
    /// A dump of the phone's keychain: identity, sessions, sender keys, what the app knows of people.
    package static let keychainFile: FilePath = "keychain.json"

    /// In the order of writing; folders are made as they are needed.
    package let files: [File]

    /// Makes all files in memory.
    ///
    /// - Parameters:
    ///   - deterministic: the same bytes each time, for tests.
    ///   - limits: tests pass lower work factors.
    package init(deterministic: Bool = false, limits: BundleLimits = .standard) throws(SampleError) {
        var maker = try SampleMaker(SampleRandomness(deterministic: deterministic), limits: limits)
        files = try maker.files()
    }

    /// Writes the sample into a folder that does not exist yet.
    package func write(to folder: FilePath) throws(SampleError) {
        do throws(FileError) {
            try makeFolder(folder)
            try makeFolder(folder.appending(Self.storeFolder))
            try makeFolder(folder.appending(Self.storeFolder).appending(StoreFolder.messagesName))
            try makeFolder(folder.appending(Self.storeFolder).appending(StoreFolder.attachmentsName))
            for file in files {
                var output = try OutputFile(creatingAt: folder.appending(file.path))
                try output.write(file.bytes)
                try output.commit()
            }
        } catch {
            throw .file(error)
        }
    }
}
