import SophaxFiles
import SystemIO
import Testing

@testable import PortableBundle

@Suite("Where entries of a bundle go in a store")
struct RestoreTargetsTests {
    private func targets(_ contents: [ManifestEntry.Content]) -> RestoreTargets {
        var names = EntryNames()
        let entries = contents.map { content in
            let part = content.part ?? .attachments
            let id: ByteText =
                switch content {
                case .conversation(let id, _, _): id.text
                case .blob(let id), .attachment(let id): id
                case .document, .other: ByteText("x")
                }
            return ManifestEntry(name: names.name(for: id, in: part), size: 0, content: content)
        }
        return RestoreTargets(Manifest(createdAt: 1, creator: "t", entries: entries))
    }

    private func conversation(_ id: String) -> ManifestEntry.Content {
        .conversation(ConversationID(ByteText(id)), .ios, messages: 0)
    }

    @Test("files get the names that the newest apps give them")
    func names() {
        let targets = targets([
            conversation("08c4cab788bd5f92"), conversation("group.AB-1"), conversation("__note_to_self__"),
            .blob(ByteText("pending_queue")), .attachment(ByteText("AB-1")),
        ])
        #expect(
            targets.files.map(\.path.text) == [
                "sophax_messages/08c4cab788bd5f92.enc", "sophax_messages/group.AB-1.enc",
                "sophax_messages/notetoself.enc", "sophax_messages/pending_queue.enc", "sophax_attachments/AB-1",
            ])
        #expect(targets.refused.isEmpty)
    }

    @Test(
        "an id of somebody else leads nowhere else",
        arguments: ["../../x", "/etc/passwd", "", ".", "..", "a/b", "é", "AB.1", "x"])
    func hostile(id: String) {
        let attachment = targets([.attachment(ByteText(id))])
        #expect(attachment.files.isEmpty && attachment.refused.count == 1, "\(id)")
        let blob = targets([.blob(ByteText(id))])
        #expect(blob.files.isEmpty && blob.refused.count == 1)
        let messages = targets([conversation(id)])
        let path = messages.files.first?.path.text ?? ""
        #expect(path.hasPrefix("sophax_messages/") && path.hasSuffix(".enc"))
        #expect(path.split(separator: "/").count == 2 && path.utf8.count < 280 && !path.contains("/.enc"))
    }

    @Test("ids for which the app has one name go into one file, and a long one gets a name that fits")
    func shared() {
        let targets = targets([conversation("a"), conversation("b"), conversation("__a__")])
        #expect(targets.files.count == 2)
        #expect(targets.files.first?.entries == [0, 2])
        let long = self.targets([conversation(String(repeating: "a", count: 70_000))])
        #expect(long.files[0].path.lastComponent.bytes.count == 36)
    }

    @Test("two attachments of one id are not both taken")
    func repeated() {
        let targets = targets([.attachment(ByteText("A")), .attachment(ByteText("A"))])
        #expect(targets.files.count == 1 && targets.refused.count == 1)
    }
}
