import CryptoPrimitives
import History
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

@testable import Archive

@Suite("An archive in a sealed file")
struct SealedArchiveTests {
    private let folder = TemporaryFolder()

    private func key(_ byte: UInt8) throws -> UnlockSecret {
        let bytes = [UInt8](repeating: byte, count: 32)
        return try UnlockSecret.key(SecretBytes(copying: bytes.span))
    }

    private func opened(_ name: String, _ byte: UInt8, _ mode: SealedDatabase.AccessMode = .readOnly) throws -> Archive
    {
        try Archive(opening: FilePath(folder.file(name)), mode, unlocking: key(byte))
    }

    private func made() throws -> Archive {
        let archive = try Archive.make(at: FilePath(folder.file("a.sxdb")), slots: [NewSlot(key(1))])
        var history = GivenHistory(
            (0..<300).map { ios("m\($0)", "hiddenword number \($0)", at: 700_000_000 + Double($0)) })
        history.attachments = [.init(id: "f", bytes: Array(String(repeating: "hiddenpicture ", count: 40_000).utf8))]
        _ = try ArchiveImporter(archive).run(history)
        return archive
    }

    private func matches(_ archive: Archive, _ word: String) throws -> Int64? {
        try archive.database.first("SELECT count(*) FROM message_text WHERE message_text MATCH ?", .text(word)) {
            $0.integer(0)
        } ?? nil
    }

    @Test("opens for reading and for writing, is searched, and no text of it is in any file")
    func sealed() throws {
        _ = try made()
        let archive = try opened("a.sxdb", 1)
        #expect(try matches(archive, "hiddenword") == 300)
        #expect(try archive.verify(.quick).findings.isEmpty)
        for name in folder.names {
            let text = String(decoding: fileBytes(folder.file(name)) ?? [], as: UTF8.self)
            #expect(!text.contains("hidden"), "\(name)")
        }
        #expect(throws: ArchiveError.self) { try opened("a.sxdb", 2) }
    }

    @Test("a copy and a new master key keep everything, the index with its tokenizer too")
    func copies() throws {
        let archive = try made()
        let file = try #require(archive.sealed)
        #expect(
            try Archive.backup(file, to: FilePath(folder.file("b.sxdb")), slots: [NewSlot(key(2))]) == 300)
        let copy = try opened("b.sxdb", 2, .readWrite)
        #expect(try matches(copy, "number") == 300)
        #expect(try copy.verify(.full).findings.isEmpty)

        #expect(try Archive.rekey(file, secrets: [0: key(1)], dropping: []) == 300)
        let renewed = try opened("a.sxdb", 1, .readWrite)
        #expect(try matches(renewed, "number") == 300)
        #expect(try renewed.verify(.full).findings.isEmpty)
        // What both show is the same.
        let (one, two) = (CollectedHistory(), CollectedHistory())
        try ArchiveHistory(copy, path: "b").send(HistoryRequest(attachments: .all), to: one)
        try ArchiveHistory(renewed, path: "a").send(HistoryRequest(attachments: .all), to: two)
        #expect(one.conversations[0].messages.map(\.sourceJSON) == two.conversations[0].messages.map(\.sourceJSON))
        #expect(one.attachments.map(\.bytes) == two.attachments.map(\.bytes))
    }

    @Test("a changed byte of a page is found at every depth", arguments: [ArchiveDepth.quick, .standard, .full])
    func damage(depth: ArchiveDepth) throws {
        _ = try made()
        var bytes = fileBytes(folder.file("a.sxdb")) ?? []
        bytes[bytes.count - 5_000] ^= 1
        folder.write(bytes, to: "a.sxdb")
        let verdict = try opened("a.sxdb", 1, .readWrite).verify(depth)
        #expect(!verdict.isSound)
    }

    @Test("an import that is asked to stop leaves whole conversations, and is finished by the next one")
    func stopping() throws {
        let archive = try Archive.make(at: FilePath(folder.file("s.sxdb")), slots: [NewSlot(key(1))])
        var history = GivenHistory([])
        history.conversations = (0..<6).map { number in
            let id = "000000000000000\(number)"
            return (id, (0..<50).map { ios("m\($0)", at: 700_000_000 + Double($0), peer: id) })
        }
        var asked = 0
        let stopped = try ArchiveImporter(archive).run(
            history,
            isStopped: {
                asked += 1
                return asked > 3
            })
        #expect(stopped.wasStopped)
        #expect(stopped.read == 150)
        let counts = try archive.database.rows("SELECT count(*) FROM message GROUP BY conversation") { $0.integer(0) }
        #expect(counts == [50, 50, 50])
        let rest = try ArchiveImporter(archive).run(history)
        #expect(rest.counts.alreadyThere == 150)
        #expect(rest.counts.new == 150)
        #expect(try archive.database.rows("SELECT ended_at FROM import ORDER BY id") { $0.integer(0) } == [nil, 0])
    }
}
