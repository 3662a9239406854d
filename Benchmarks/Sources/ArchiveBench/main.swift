import Archive
import CryptoPrimitives
import Glibc
import History
import SQLiteDatabase
import SophaxFiles
import SystemIO

// usage: archive-bench import STORE ARCHIVE KEYFILE     makes a sealed archive of a store
//        archive-bench again STORE ARCHIVE KEYFILE      imports the same once more
//        archive-bench rows ARCHIVE KEYFILE ROWS        writes the rows of an archive into a flat file, as they were put in
//        archive-bench plain ROWS DATABASE              loads them into a plain SQLite file of the same tables
//        archive-bench read ARCHIVE KEYFILE             reads the whole history of an archive
//        archive-bench verify ARCHIVE KEYFILE           the deepest of the three depths
// Run by Benchmarks/archive. KEYFILE holds 32 random bytes; the key of STORE is beside it in storage.key.
let arguments = ProcessSettings.arguments().map { String(decoding: $0, as: UTF8.self) }
guard arguments.count >= 3 else { fatalError("usage: archive-bench import|again|rows|plain|read|verify …") }

func keySecret(_ path: String) throws -> UnlockSecret {
    var file = try InputFile(opening: FilePath(path))
    let bytes = try file.readAll(limit: 32)
    return try UnlockSecret.key(SecretBytes(copying: bytes.span))
}

func store(_ path: String) throws -> StoreHistory {
    var file = try InputFile(opening: FilePath(path + "/storage.key"))
    let text = try file.readAll(limit: 64).filter { $0 > 0x20 }
    let key = try SecretEncoding.decodeBase64(text.span)
    return try StoreHistory(StoreFolder(at: FilePath(path)), key: key, path: FilePath(path))
}

func opened(_ path: String, _ key: String, _ mode: SealedDatabase.AccessMode) throws -> Archive {
    try Archive(opening: FilePath(path), mode, unlocking: keySecret(key))
}

func load(_ archive: Archive, _ path: String) throws {
    var options = ArchiveImporter.Options()
    options.workers = processorCount()
    let report = try ArchiveImporter(archive, options).run(store(path))
    print("read \(report.read) new \(report.counts.new) there \(report.counts.alreadyThere)")
    guard report.read == report.counts.total, report.failure == nil else { fatalError("\(report)") }
}

switch arguments[0] {
case "import":
    let key = try keySecret(arguments[3])
    try load(Archive.make(at: FilePath(arguments[2]), slots: [NewSlot(key)]), arguments[1])
case "again": try load(opened(arguments[2], arguments[3], .readWrite), arguments[1])
case "rows": try writeRows(opened(arguments[1], arguments[2], .readOnly).database, arguments[3])
case "plain": try loadPlain(arguments[1], arguments[2])
case "read":
    let archive = try opened(arguments[1], arguments[2], .readOnly)
    let counter = Counter()
    try ArchiveHistory(archive, path: FilePath(arguments[1])).send(HistoryRequest(attachments: .all), to: counter)
    print("read \(counter.messages) messages, \(counter.bytes) bytes of attachments")
case "verify":
    let verdict = try opened(arguments[1], arguments[2], .readWrite).verify(.full)
    print("\(verdict.messages) messages, \(verdict.sources) sources, \(verdict.findingCount) findings")
    guard verdict.isSound else { fatalError("\(verdict.findings.prefix(10))") }
default: fatalError("no such verb")
}

final class Counter: HistorySink {
    var messages = 0
    var bytes = 0
    func take(_ people: PeerNames) {}
    func take(_ part: HistoryPart) { messages += part.messages.count }
    func begin(attachment id: ByteText, size: Int) -> Bool { true }
    func take(attachment bytes: Span<UInt8>) { self.bytes += bytes.count }
    func endAttachment() {}
    func take(_ loss: HistoryLoss) { fatalError("\(loss)") }
}
