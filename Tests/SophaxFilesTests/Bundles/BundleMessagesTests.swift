import Testing

@testable import SophaxFiles

@Suite("The messages of a backup")
struct BundleMessagesTests {
    static let peer = "08c4cab788bd5f92"
    static let group = "group.E8EEABCD-D69B-4E6D-999A-612230CBB467"
    static let groupUUID = "E8EEABCD-D69B-4E6D-999A-612230CBB467"

    /// Reads a backup with these lists.
    static func read(_ lists: [(key: String, messages: [String])]) throws -> BundleContent {
        let members = lists.map { #""\#($0.key)":[\#($0.messages.joined(separator: ","))]"# }
        let text = ExportText.backup(messages: "{" + members.joined(separator: ",") + "}")
        return try BundleMaker.content(text, as: .backup(BundleMaker.quick))
    }

    static func ids(_ content: BundleContent, _ id: String) throws -> [String] {
        let backup = try #require(content.backup)
        let conversation = try #require(backup.messages.conversations.first { $0.id.text == ByteText(id) })
        return try backup.messages.messages(of: conversation).map { $0.id?.string ?? "-" }
    }

    @Test("are in the order of their list")
    func order() throws {
        let content = try Self.read([
            (Self.peer, (1...600).map { ExportText.message("m\($0)", peer: Self.peer) })
        ])
        #expect(try Self.ids(content, Self.peer) == (1...600).map { "m\($0)" })
        #expect(content.backup?.messages.count == 600)
        #expect(content.findings.isEmpty)
    }

    @Test("belong to the conversation that they name, not to their key")
    func regrouped() throws {
        let content = try Self.read([
            (
                "whatever",
                [
                    ExportText.message("a", peer: Self.peer), ExportText.message("b", peer: Self.group),
                    ExportText.message("c", peer: Self.peer),
                ]
            ),
            (Self.group, [ExportText.message("d", peer: Self.group)]),
        ])
        #expect(try Self.ids(content, Self.peer) == ["a", "c"])
        #expect(try Self.ids(content, Self.group) == ["b", "d"])
        #expect(content.backup?.messages.conversations.map(\.messages) == [2, 2])
        #expect(content.findings.count(.conversationKeyMismatch) == 2)
        #expect(content.findings.count(.otherConversation) == 1)
    }

    @Test("of thousands of conversations in the same lists are found without reading the lists for each")
    func manyConversations() throws {
        let both = (0..<4_000).map { ExportText.message("m", peer: "p\($0)") }
        let content = try Self.read([("a", both), ("b", both + [ExportText.message("n", peer: "p7")])])
        let backup = try #require(content.backup)
        #expect(backup.messages.conversations.count == 4_000)
        #expect(backup.messages.count == 4_001)
        #expect(try Self.ids(content, "p7") == ["m", "n"])
        for conversation in backup.messages.conversations {
            #expect(try backup.messages.messages(of: conversation).count == conversation.messages)
        }
    }

    @Test("of one conversation in thousands of lists are put together")
    func manyLists() throws {
        let content = try Self.read((0..<4_000).map { ("k\($0)", [ExportText.message("m\($0 / 2)", peer: Self.peer)]) })
        #expect(content.backup?.messages.count == 2_000)
        #expect(try Self.ids(content, Self.peer) == (0..<2_000).map { "m\($0)" })
    }

    @Test("of a list that is not strict JSON are found again where they stand")
    func mixedAndBroken() throws {
        let content = try Self.read([
            (
                "whatever",
                [
                    ExportText.message("a", peer: Self.peer), ExportText.message("b", peer: Self.group), #"{"id":}"#,
                    ExportText.message("c", peer: Self.peer, body: #"\ud800"#),
                ]
            )
        ])
        #expect(try Self.ids(content, Self.peer) == ["a", "c"])
        #expect(content.findings.count(.unreadableMessage) == 1)
    }

    @Test("none of which can be read are lost messages, not an empty entry")
    func allBroken() throws {
        let content = try Self.read([(Self.peer, [#"{"id":}"#, "7"])])
        #expect(content.findings.count(.unreadableMessage) == 2)
        #expect(content.findings.count(.pseudoConversation) == 0)
        #expect(content.backup?.messages.lost == 2)
    }

    @Test("to oneself are those of the notes")
    func notes() throws {
        let content = try Self.read([("notetoself", [ExportText.message("n", peer: "__note_to_self__")])])
        let conversation = try #require(content.backup?.messages.conversations.first)
        #expect(conversation.id == .notesToSelf)
        #expect(conversation.id.kind == .notes)
        #expect(content.findings.isEmpty)
    }

    @Test(
        "of an older group file come first; of a message in both lists the newer copy counts", arguments: [true, false])
    func orphanedGroup(_ olderFirst: Bool) throws {
        let older = (
            Self.groupUUID,
            [
                ExportText.message("a", peer: Self.group, edited: ""),
                ExportText.message("b", peer: Self.group, body: "old", edited: ""),
            ]
        )
        let newer = (
            Self.group,
            [
                ExportText.message("b", peer: Self.group, body: "new"), ExportText.message("c", peer: Self.group),
            ]
        )
        let content = try Self.read(olderFirst ? [older, newer] : [newer, older])
        #expect(try Self.ids(content, Self.group) == ["a", "b", "c"])
        let backup = try #require(content.backup)
        let conversation = try #require(backup.messages.conversations.first)
        #expect(backup.messages.conversations.count == 1)
        #expect(try backup.messages.messages(of: conversation).map { $0.body?.string } == ["hi", "new", "hi"])
        #expect(conversation.messages == 3)
        #expect(conversation.merged == 1)
        #expect(conversation.keys.map(\.string) == [Self.groupUUID, Self.group])
        #expect(conversation.isAtRisk)
        #expect(content.findings.count(.orphanedFile) == 1)
        #expect(content.findings.count(.missingIsEdited) == 2)
        #expect(content.findings.count(.duplicateID) == 0)
    }

    @Test("without isEdited read as not edited, and are at risk")
    func missingIsEdited() throws {
        let content = try Self.read([(Self.peer, [ExportText.message("a", peer: Self.peer, edited: "")])])
        let backup = try #require(content.backup)
        let conversation = try #require(backup.messages.conversations.first)
        #expect(try backup.messages.messages(of: conversation).map(\.isEdited) == [false])
        #expect(content.findings.count(.missingIsEdited) == 1)
        #expect(content.findings.worst == .risk)
        #expect(conversation.isAtRisk)
    }

    @Test("leave out the other files of the store, which stand there as empty lists")
    func blobs() throws {
        let content = try Self.read([
            ("pending_queue", []), ("stored_forward_items", []), ("dht_kbuckets", []), ("cafe", []),
            (Self.peer, [ExportText.message("a", peer: Self.peer)]),
        ])
        #expect(content.backup?.messages.conversations.map(\.id.text.string) == [Self.peer])
        #expect(content.backup?.messages.lists.filter(\.isBlob).count == 3)
        #expect(content.findings.count(.pseudoConversation) == 4)
        #expect(content.findings.worst == .note)
    }

    @Test("under a blob's key are kept all the same")
    func messagesUnderBlobKey() throws {
        let content = try Self.read([("pending_queue", [ExportText.message("a", peer: Self.peer)])])
        #expect(try Self.ids(content, Self.peer) == ["a"])
    }

    @Test("with one id twice are all kept, and reported")
    func duplicates() throws {
        let content = try Self.read([
            (Self.peer, [ExportText.message("a", peer: Self.peer), ExportText.message("a", peer: Self.peer)])
        ])
        #expect(try Self.ids(content, Self.peer) == ["a", "a"])
        #expect(content.findings.count(.duplicateID) == 1)
    }

    @Test("under one key twice are all read, and the key is reported")
    func repeatedKey() throws {
        let content = try Self.read([
            (Self.peer, [ExportText.message("a", peer: Self.peer)]),
            (Self.peer, [ExportText.message("b", peer: Self.peer), ExportText.message("a", peer: Self.peer)]),
        ])
        #expect(try Self.ids(content, Self.peer) == ["b", "a"])
        #expect(content.findings.count(.repeatedKey) == 1)
        #expect(content.backup?.messages.conversations.map(\.merged) == [1])
    }

    @Test("that name no conversation go by their key")
    func noPeerID() throws {
        let bare = #"{"id":"a","direction":"sent","body":"x","timestamp":795000001,"status":"read","isEdited":false}"#
        let content = try Self.read([(Self.peer, [bare]), ("notetoself", [bare])])
        #expect(try Self.ids(content, Self.peer) == ["a"])
        #expect(try Self.ids(content, "__note_to_self__") == ["a"])
        #expect(content.findings.count(.missingField) == 2)
    }

    @Test("with an attachment are counted: no export has the bytes")
    func attachments() throws {
        let attachment = #","attachmentID":"E1B2E290-2E27-4E7F-BF1F-9C6DCDC95CD8","attachmentMimeType":"image\/jpeg""#
        let content = try Self.read([
            (
                Self.peer,
                [
                    ExportText.message("a", peer: Self.peer, extra: attachment),
                    ExportText.message("b", peer: Self.peer),
                    ExportText.message("c", peer: Self.peer, extra: attachment),
                ]
            )
        ])
        #expect(content.findings.count(.attachmentsNotIncluded) == 1)
        #expect(content.backup?.messages.lists.first?.withAttachment == 2)
    }

    @Test("with a date that no clock showed are reported")
    func dates() throws {
        let text = ExportText.message("a", peer: Self.peer).replacing("795000001", with: "795000001000")
        let content = try Self.read([(Self.peer, [text])])
        #expect(content.findings.count(.implausibleDate) == 1)
        #expect(content.backup?.messages.conversations.first?.firstTime == nil)
    }

    @Test("that cannot be read do not stop the others")
    func damagedElement() throws {
        let content = try Self.read([
            (Self.peer, [ExportText.message("a", peer: Self.peer), "17", ExportText.message("b", peer: Self.peer)]),
            ("cafe", [ExportText.message("c", peer: "cafe")]),
        ])
        #expect(try Self.ids(content, Self.peer) == ["a", "b"])
        #expect(try Self.ids(content, "cafe") == ["c"])
        #expect(content.findings.count(.unreadableMessage) == 1)
        #expect(content.backup?.messages.lost == 1)
        #expect(content.backup?.messages.conversations.map(\.isStrict) == [false, true])
        #expect(content.findings.worst == .damage)
    }

    @Test("two ids that differ only in the spelling of é are two conversations")
    func spelling() throws {
        let content = try Self.read([
            ("a", [ExportText.message("a", peer: "caf\u{E9}")]), ("b", [ExportText.message("b", peer: "cafe\u{301}")]),
        ])
        #expect(content.backup?.messages.conversations.count == 2)
    }
}
