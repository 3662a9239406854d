import History
import SophaxFiles
import Testing

@testable import Archive

@Suite("Attachments of an archive")
struct AttachmentTests {
    private let picture = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 1000)

    private func with(_ attachments: [GivenHistory.Attachment], mentioned: [String] = []) -> GivenHistory {
        var history = GivenHistory(
            mentioned.map { ios("m-\($0)", more: ",\"attachmentID\":\"\($0)\",\"isEdited\":false") })
        history.attachments = attachments
        return history
    }

    @Test("one content is stored once, whatever ids it has, and comes back whole")
    func once() throws {
        let made = try MadeArchive()
        let report = try made.add(
            with([.init(id: "a", bytes: picture), .init(id: "b", bytes: picture)], mentioned: ["a", "b", "gone"]))
        #expect(report.attachments.read == 2)
        #expect(report.missingAttachments.map(\.string) == ["gone"])
        #expect(report.unmentionedAttachmentCount == 0)
        #expect(try made.number("SELECT count(*) FROM attachment") == 1)
        #expect(try made.archive.database.first("SELECT kind FROM attachment") { $0.string(0) } == "image/jpeg")
        let collected = try made.collected(HistoryRequest(attachments: .all))
        #expect(collected.attachments.map(\.id.string) == ["a", "b"])
        #expect(collected.attachments.allSatisfy { $0.bytes == picture })
        let again = try made.add(with([.init(id: "a", bytes: picture)], mentioned: ["a"]))
        #expect(again.attachments.alreadyThere == 1)
        #expect(again.attachments.new == 0)
    }

    @Test("an id with two contents keeps both")
    func different() throws {
        let made = try MadeArchive()
        try made.add(with([.init(id: "a", bytes: picture)], mentioned: ["a"]))
        let report = try made.add(with([.init(id: "a", bytes: [1, 2, 3])], mentioned: ["a"]))
        #expect(report.attachments.different == 1)
        #expect(report.differentAttachments.map(\.string) == ["a"])
        let collected = try made.collected(HistoryRequest(attachments: .all))
        #expect(Set(collected.attachments.map(\.bytes)) == [picture, [1, 2, 3]])
    }

    @Test("sizes around a piece come back byte for byte, and what nobody mentions is kept and told")
    func sizes() throws {
        let made = try MadeArchive()
        let piece = AttachmentChunk.size
        let sizes = [0, 1, piece - 1, piece, piece + 1, 2 * piece, 8 * piece, 8 * piece + 1, 9 * piece + 7]
        let files = sizes.map { size in
            GivenHistory.Attachment(
                id: "s\(size)", bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) })
        }
        let report = try made.add(with(files))
        #expect(report.attachments.new == sizes.count)
        #expect(report.unmentionedAttachmentCount == sizes.count)
        let collected = try made.collected(HistoryRequest(attachments: .all))
        for file in files { #expect(collected.attachments.first { $0.id.string == file.id }?.bytes == file.bytes) }
        #expect(try made.archive.verify(.full).findings.isEmpty)
        // A large one is not written again; another of its length is.
        let large = try #require(files.last)
        var changed = large.bytes
        changed[5] ^= 1
        let again = try made.add(with([large, .init(id: large.id, bytes: changed)]))
        #expect(again.attachments.alreadyThere == 1)
        #expect(again.attachments.different == 1)
        #expect(try made.number("SELECT count(*) FROM attachment") == Int64(sizes.count + 1))
    }
}
