import CryptoPrimitives
import SophaxCore
import TestSupport
import Testing

@testable import SophaxFiles

/// open(create(x)) says what x says, for all formats.
@Suite("The round trip through exports of the apps")
struct RoundTripTests {
    private typealias Writer = AppExportWriter
    private static let conversations = [
        "3619e750a2dd52ba978807b2a00df56d", "9e6fbd6f40ba2b58", "group.E8EEABCD-D69B-4E6D-999A-612230CBB467",
        "__note_to_self__", "__a__", "a", "caf\u{E9}", "cafe\u{301}", "\u{FF21}",
    ]

    private static func open(_ text: borrowing SecretBytes, as recipe: BundleRecipe) throws -> BundleContent {
        let bytes = try text.withSpan { span in
            try BundleWriter.seal(span, as: recipe, passphrase: BundleMaker.secret(BundleMaker.passphrase))
        }
        let kind: BundleKind? = recipe.kind == .android ? .android : nil
        return try BundleContent.read(BundleMaker.open(bytes, kind: kind), now: BundleMaker.now, workers: 2)
    }

    /// Conversation → the canonical forms of its messages, in order.
    private static func canonical(_ content: BundleContent) throws -> [ConversationID: [CanonicalMessage]] {
        let messages = try #require(content.backup).messages
        var all: [ConversationID: [CanonicalMessage]] = [:]
        for conversation in messages.conversations {
            all[conversation.id] = try messages.messages(of: conversation).map { CanonicalMessage($0) }
        }
        return all
    }

    /// A history with messages of all shapes, ready to be written.
    private static func history(_ seed: Int) throws -> [(id: String, messages: [StoredMessage])] {
        var random = RandomHistory(seed: UInt64(seed))
        return try conversations.map { id in
            let messages = (0..<random.below(9)).map { random.message(id, id: "\($0) \(random.id())") }
            return (id, try MessageSources.read(RandomHistory.list(messages)).messages)
        }
    }

    private static func exported(_ history: [(id: String, messages: [[UInt8]])]) throws -> AppExportContent {
        var content = try AppExportWriterTests.content(time: 796_000_000.123456)
        content.conversations = history.map { id, messages in
            var list = AppMessageList()
            for message in messages { list.append(message) }
            return .init(ConversationID(ByteText(id)), list: list.finished())
        }
        return content
    }

    @Test("keeps every message of random histories, for iOS", arguments: 0..<6)
    func ios(_ seed: Int) throws {
        let history = try Self.history(seed)
        let rewriter = MessageRewriter()
        let content = try Self.exported(
            history.map { ($0.id, try $0.messages.map { try rewriter.json($0, isStrict: true) }) })
        var expected: [ConversationID: [CanonicalMessage]] = [:]
        for (id, messages) in history where !messages.isEmpty {
            expected[ConversationID(ByteText(id))] = messages.map { CanonicalMessage($0) }
        }
        let text = try Writer.backup(content)
        // Foundation takes it too.
        let bytes = AppExportWriterTests.bytes(text)
        _ = try AppDecoders.decode(AppDecoders.Backup<AppDecoders.NewestPeer, AppDecoders.NewestMessage>.self, bytes)
        let backup = try Self.open(text, as: .backup(BundleMaker.quick))
        #expect(try Self.canonical(backup) == expected)
        #expect(backup.backup?.createdAt?.unixSeconds == 796_000_000.123456 + AppTime.epoch2001)
        let full = try Self.open(
            Writer.fullExport(AppExportWriterTests.identity(), content), as: .fullExport(BundleMaker.quick))
        #expect(try Self.canonical(full) == expected)
        #expect(full.identity?.publicKeys?.fingerprint.hex == ExportText.fingerprint)
        // What was written once is written the same again.
        let again = try Self.exported(
            history.map { id, messages in
                let id = ConversationID(ByteText(id))
                guard let messages = backup.backup?.messages,
                    let own = messages.conversations.first(where: { $0.id == id })
                else { return (id.text.string, []) }
                return (id.text.string, try messages.messages(of: own).map(\.sourceJSON))
            })
        #expect(try Self.canonical(Self.open(Writer.backup(again), as: .backup(BundleMaker.quick))) == expected)
    }

    @Test("keeps every odd body and date, and bodies of 64 KiB")
    func oddMessages() throws {
        var random = RandomHistory(seed: 7)
        let bodies =
            RandomHistory.bodies
            + ["x", "\u{E9}", "\u{FEFF}", "\u{1F44D}"].map { String(repeating: $0, count: 65_536 / $0.utf8.count) }
        let dates = [
            "-0", "-978307200.5", "1e-07", "5e-324", "1.7976931348623157e+308", "-1e300", "0.1", "253402300799.999999",
            "795000013.12345678901234567890", "1E3", "123456789012345678901234567890",
        ]
        var messages: [String] = []
        for (number, body) in bodies.enumerated() {
            messages.append(
                MessageSources.json(
                    "\(number)", body: random.escaped(body),
                    time: dates[number % dates.count]))
        }
        let read = try MessageSources.read(RandomHistory.list(messages))
        #expect(read.isStrict && read.messages.count == bodies.count)
        let content = try Self.exported([("b", read.messages.map(\.sourceJSON))])
        let text = try Writer.backup(content)
        let backup = try AppDecoders.decode(
            AppDecoders.Backup<AppDecoders.NewestPeer, AppDecoders.NewestMessage>.self, AppExportWriterTests.bytes(text)
        )
        let decoded = try #require(backup.messages["b"])
        for (number, message) in decoded.enumerated() {
            #expect(Array(message.body.utf8) == Array(bodies[number].utf8))
            let date = try #require(Double(dates[number % dates.count]))
            #expect(message.timestamp.timeIntervalSinceReferenceDate.bitPattern == date.bitPattern)
        }
        let opened = try Self.open(text, as: .backup(BundleMaker.quick))
        #expect(
            try Self.canonical(opened) == [ConversationID(ByteText("b")): read.messages.map { CanonicalMessage($0) }])
    }

    @Test("keeps every message that Android can hold", arguments: 0..<4)
    func android(_ seed: Int) throws {
        let history = try Self.history(seed + 100)
        var expected: [ConversationID: [CanonicalMessage]] = [:]
        var converted: [(id: String, messages: [[UInt8]])] = []
        var refused = 0
        for (id, messages) in history {
            var own: [[UInt8]] = []
            for message in messages {
                switch PlatformConversion.toAndroid.convert(message, isStrict: true) {
                case .unchanged: own.append(message.sourceJSON)
                case .changed(let json, _): own.append(json)
                case .refused(let refusal):
                    // Only times that 64 bits of milliseconds cannot hold.
                    let times: [MessageRefusal] = [
                        .unusable(.timestamp), .unusable(.expiresAt), .unusable(.editedAt),
                    ]
                    #expect(times.contains(refusal))
                    refused += 1
                }
            }
            converted.append((id, own))
            for json in own {
                let message = try AppDecoders.decode(AppDecoders.AndroidMessage.self, json)
                expected[ConversationID(ByteText(message.peerID)), default: []]
                    .append(CanonicalMessage(source: json, platform: .android))
            }
        }
        #expect(refused < history.reduce(0) { $0 + $1.messages.count })
        let text = try Writer.android(Self.exported(converted))
        _ = try AppDecoders.decodeAndroid(AppExportWriterTests.bytes(text))
        #expect(try Self.canonical(Self.open(text, as: .android(BundleMaker.quick))) == expected)
    }

    @Test(
        "keeps keys, name and date of an identity, bit for bit",
        arguments: [
            796_000_000, 0.1 + 0.2, -0.0, .leastNonzeroMagnitude, -1e-7, .greatestFiniteMagnitude, 253_402_300_799.75,
        ])
    func identity(_ time: Double) throws {
        for name in RandomHistory.bodies {
            let seed: [UInt8] = Array(0x40...0x5F)
            let dh: [UInt8] = Array(0x60...0x7F)
            let identity = try Identity(
                signingSeed: SecretBytes(copying: seed.span), dhPrivate: SecretBytes(copying: dh.span), username: name)
            let text = try Writer.identity(identity, exportedAt: time)
            let decoded = try AppDecoders.decode(AppDecoders.IdentityFile.self, AppExportWriterTests.bytes(text))
            #expect(decoded.exportedAt.timeIntervalSinceReferenceDate.bitPattern == time.bitPattern)
            #expect(Array(decoded.username.utf8) == Array(name.utf8))
            let opened = try #require(try Self.open(text, as: .identity(BundleMaker.quick)).identity)
            #expect(Array(opened.username.utf8) == Array(name.utf8))
            #expect(opened.exportedAt.flatMap { Double($0.source) }?.bitPattern == time.bitPattern)
            let keys = opened.withKeys { keys in
                keys.signingSeed.isEqual(to: seed.span) && keys.dhPrivate.isEqual(to: dh.span)
            }
            #expect(keys == true)
        }
    }

    @Test(
        "of the exports of the fixtures gives what they hold",
        .enabled(if: SharedFolder.isThere, "../shared is not here"),
        arguments: ["bob.sophaxbackup", "bob.sxfe"])
    func fixtures(_ name: String) throws {
        let original = try ExportFixtureTests.content(name, ExportFixtureTests.expected())
        let backup = try #require(original.backup)
        var content = AppExportContent(
            username: Array(backup.username.utf8),
            createdAt: (backup.createdAt?.unixSeconds ?? 0) - AppTime.epoch2001, fingerprint: backup.fingerprint,
            peers: backup.peers.map { AppExportPeer($0) })
        for conversation in backup.messages.conversations {
            var list = AppMessageList()
            for message in try backup.messages.messages(of: conversation) {
                #expect(MessageRewriter().rewrite(message, isStrict: true).isUnchanged)
                list.append(message)
            }
            content.conversations.append(.init(conversation.id, list: list.finished()))
        }
        let written: BundleContent
        if let identity = original.identity {
            let whole = content
            let opened = try identity.withKeys { keys in
                try Self.open(Writer.fullExport(keys, whole), as: .fullExport(BundleMaker.quick))
            }
            written = try #require(opened)
            #expect(written.identity?.publicKeys == identity.publicKeys)
        } else {
            written = try Self.open(Writer.backup(content), as: .backup(BundleMaker.quick))
        }
        #expect(try Self.canonical(written) == Self.canonical(original))
        let copy = try #require(written.backup)
        #expect(
            copy.peers.map { CanonicalMessage(source: $0.sourceJSON) }
                == backup.peers.map { CanonicalMessage(source: $0.sourceJSON) })
        #expect(copy.fingerprint == backup.fingerprint && copy.username == backup.username)
        #expect(copy.createdAt == backup.createdAt && copy.version == backup.version)
    }
}
