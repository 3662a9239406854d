import CryptoPrimitives
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

@testable import Archive

@Suite("Imports that are killed")
struct KillTests {
    private static let conversations = 12
    private static let messages = 400

    private func key() throws -> UnlockSecret {
        let bytes = [UInt8](repeating: 7, count: 32)
        return try UnlockSecret.key(SecretBytes(copying: bytes.span))
    }

    private func probe(_ path: String, seconds: String?) -> ChildProcess {
        let limit = seconds.map { ["timeout", "-s", "KILL", $0] } ?? []
        return ChildProcess.run(
            limit + [
                ChildProcess.builtProducts + "/ArchiveProbe", path, String(Self.conversations), String(Self.messages),
            ], seconds: 100)
    }

    @Test("each conversation is there as a whole or not at all, and the next import does the rest")
    func kills() throws {
        let rounds = LongTests.areWanted ? 300 : 5
        for round in 0..<rounds {
            let folder = TemporaryFolder()
            let path = folder.file("archive.sxdb")
            // The first import makes the file, so that every kill is one of an import.
            _ = try Archive.make(at: FilePath(path), slots: [NewSlot(key())])
            let killed = probe(path, seconds: "0.\(100 + (round * 137) % 700)")
            let before = try Archive(opening: FilePath(path), .readWrite, unlocking: key())
            let sizes = try before.database.rows("SELECT count(*) FROM message GROUP BY conversation") {
                $0.integer(0) ?? 0
            }
            #expect(sizes.allSatisfy { $0 == Int64(Self.messages) }, "\(sizes)")
            #expect(try before.verify(.full).findings.isEmpty)
            if killed.status == 0 { #expect(sizes.count == Self.conversations) }
            let rest = probe(path, seconds: nil)
            let there = sizes.count * Self.messages
            let all = Self.conversations * Self.messages
            #expect(rest.outputText == "\(all) \(all - there) \(there)\n", "\(rest.errorText)")
        }
    }
}
