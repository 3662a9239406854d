import Testing

@testable import SophaxFiles

@Suite("The content of an export")
struct BundleContentTests {
    static let quick = BundleMaker.quick

    @Test(
        "of a text that is no object is an error, with the passphrase proven right",
        arguments: ["", " ", "[]", "1", "{", "x"])
    func notJSON(_ text: String) throws {
        for recipe in [
            BundleRecipe.identity(iterations: 3), .backup(Self.quick), .fullExport(iterations: 3), .android(Self.quick),
        ] where !text.isEmpty {
            #expect(throws: BundleContentError.self) { try BundleMaker.content(text, as: recipe) }
        }
    }

    @Test("of an identity without some key is read as far as it goes, and the app's refusal is reported")
    func identityKeys() throws {
        for key in ["signingKeyPrivate", "dhKeyPrivate", "username", "exportedAt"] {
            let text = ExportText.identity.replacing("\"\(key)\"", with: "\"x\"")
            let content = try BundleMaker.content(text, as: .identity(iterations: 600_000))
            #expect(content.findings.counts == [.missingField: 1, .unknownKeys: 1, .unreadableByApps: 1])
            #expect(content.findings.examples[.missingField]?.first?.item?.string == key)
            #expect((content.identity?.publicKeys == nil) == key.hasSuffix("KeyPrivate"))
        }
    }

    @Test("takes a private key with every slash escaped, as the app writes it")
    func escapedKeys() throws {
        // 32 bytes of FF: base64 with 42 slashes.
        let slashes = String(repeating: "/", count: 42) + "8="
        let escaped = slashes.replacing("/", with: #"\/"#)
        for form in [slashes, escaped] {
            let content = try BundleMaker.content(
                ExportText.identity(signing: form, dh: form), as: .identity(iterations: 600_000))
            let ones = [UInt8](repeating: 0xFF, count: 32)
            let isRight = content.identity?.withKeys { keys in
                keys.signingSeed.isEqual(to: ones.span) && keys.dhPrivate.isEqual(to: ones.span)
            }
            #expect(isRight == true)
            #expect(content.findings.isEmpty)
        }
    }

    @Test(
        "has no keys where a private key is no base64 or has another length",
        arguments: [
            "", "A", "AAAA", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh-_",
            #"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\u003d"#, #"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"#,
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AAAAA",
        ])
    func wrongKeys(_ key: String) throws {
        let content = try BundleMaker.content(ExportText.identity(dh: key), as: .identity(iterations: 600_000))
        #expect(content.identity?.publicKeys == nil)
        #expect(content.identity?.username == "alice")
        #expect(content.findings.count(.wrongType) + content.findings.count(.unreadableContent) == 1)
    }

    @Test("of a key without a right type, twice, or unknown, is reported by its path")
    func oddKeys() throws {
        let backup = ExportText.backup(extra: #","version":2,"later":{},"identityFingerprint":7"#)
        let content = try BundleMaker.content(
            ExportText.fullExport(backup: backup), as: .fullExport(iterations: 100_000))
        #expect(content.findings.counts == [.repeatedKey: 1, .unknownKeys: 1, .wrongType: 1, .unreadableByApps: 1])
        let items = content.findings.all.compactMap { $0.item?.string }
        #expect(Set(items) == ["backup.version", "backup.later", "backup.identityFingerprint"])
        #expect(content.backup?.version == 2)
    }

    @Test("with one message that is no JSON keeps the identity, the contacts and the other messages")
    func brokenMessage() throws {
        let lists =
            #"{"cafe":[{"id":},\#(ExportText.message("a", peer: "cafe"))],"#
            + #""beef":[\#(ExportText.message("b", peer: "beef"))]}"#
        let text = ExportText.fullExport(backup: ExportText.backup(messages: lists))
        let content = try BundleMaker.content(text, as: .fullExport(iterations: 100_000))
        #expect(content.identity?.publicKeys?.fingerprint.hex == ExportText.fingerprint)
        #expect(content.backup?.messages.conversations.map(\.id.text.string) == ["cafe", "beef"])
        #expect(content.backup?.messages.count == 2)
        #expect(content.findings.count(.unreadableMessage) == 1)
        #expect(content.findings.worst == .damage)
    }

    @Test("takes null for a key that may be missing")
    func null() throws {
        let content = try BundleMaker.content(
            ExportText.backup(extra: #","identityFingerprint":null"#), as: .backup(Self.quick))
        #expect(content.findings.isEmpty)
        #expect(content.backup?.fingerprint == nil)
    }

    @Test("of another identity's fingerprint than that of the keys is reported")
    func fingerprint() throws {
        let other = String(ExportText.fingerprint.reversed())
        let backup = ExportText.backup(extra: #","identityFingerprint":"\#(other)""#)
        let content = try BundleMaker.content(
            ExportText.fullExport(backup: backup), as: .fullExport(iterations: 100_000))
        #expect(content.findings.counts == [.fingerprintMismatch: 1])
        #expect(content.findings.worst == .risk)
        let alone = try BundleMaker.content(backup, as: .backup(Self.quick))
        #expect(alone.findings.isEmpty)
    }

    @Test("of a file that the apps refuse says so")
    func refusals() throws {
        let weak = try BundleMaker.content(ExportText.identity, as: .identity(iterations: 599_999))
        #expect(weak.findings.counts == [.weakIterations: 1])
        let first = try BundleMaker.content(ExportText.identity, as: .firstIdentity(Self.quick))
        #expect(first.findings.counts == [.refusedByApps: 1])
        let text = ExportText.backup()
        let hkdf = try BundleMaker.content(text, as: .backup(version: 1, .hkdf))
        #expect(hkdf.findings.counts == [.refusedByApps: 1])
        let older = try BundleMaker.content(text, as: .backup(version: 1, .pbkdf2(iterations: 6)))
        #expect(older.findings.counts == [.refusedByApps: 1])
        let misleading = try BundleMaker.content(text, as: .backup(version: 1, .pbkdf2(iterations: 7)))
        #expect(misleading.findings.counts == [.versionByteMismatch: 1])
        let unknown = try BundleMaker.content(text, as: .backup(version: 9, .pbkdf2(iterations: 7)))
        #expect(unknown.findings.counts == [.versionByteMismatch: 1])
    }

    @Test("says when the passphrase fits only in another form")
    func passphraseForm() throws {
        let bytes = try BundleMaker.seal(ExportText.backup(), as: .backup(Self.quick))
        let bundle = try BundleMaker.open(bytes, passphrase: BundleMaker.passphrase + " ")
        let content = try BundleContent.read(bundle, now: BundleMaker.now)
        #expect(content.findings.counts == [.passphraseForm: 1])
    }

    @Test("of a list that is none, or messages that are no object, is reported as unreadable")
    func wrongLists() throws {
        let content = try BundleMaker.content(
            ExportText.backup(peers: "{}", messages: #"{"a":{},"b":[]}"#), as: .backup(Self.quick))
        #expect(content.findings.count(.wrongType) == 1)
        #expect(content.findings.count(.unreadableContent) == 1)
        let noMessages = try BundleMaker.content(ExportText.backup(messages: "[]"), as: .backup(Self.quick))
        #expect(noMessages.findings.counts == [.wrongType: 1, .unreadableByApps: 1])
        #expect(noMessages.backup?.messages.count == 0)
    }
}

@Suite("The contacts of a backup")
struct KnownPeerTests {
    static let signing = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="
    static let dh = "NYBy1jZYgNGu6jKa35EhODhR7SGijjt16WXQ0s0WYlQ="

    static func peer(
        id: String = "3619e750a2dd52ba978807b2a00df56d", signing: String = signing, dh: String = dh,
        number: String = "12559 02102 68762 54115 93340 48812", extra: String = ""
    ) -> String {
        #"{"id":"\#(id)","username":"Alice","signingKeyPublic":"\#(signing)","dhKeyPublic":"\#(dh)""#
            + #","safetyNumber":"\#(number)"\#(extra)}"#
    }

    static func read(_ peers: String...) throws -> BundleContent {
        let text = ExportText.backup(peers: "[" + peers.joined(separator: ",") + "]")
        return try BundleMaker.content(text, as: .backup(BundleMaker.quick))
    }

    @Test("are read in each of the six shapes")
    func shapes() throws {
        var extra = #","lastSeen":795000001,"isOnline":true"#
        var peers = [Self.peer(extra: extra)]
        for key in [
            #","isDirectlyConnected":false"#, #","tcpAddress":"192.0.2.1:25519""#, #","avatarData":"\/9j\/2Q==""#,
            #","trustLevel":"pending""#, #","tlsCertFingerprint":"\#(Self.dh)""#,
        ] {
            extra += key
            peers.append(Self.peer(extra: extra))
        }
        for (index, text) in peers.enumerated() {
            let content = try Self.read(text)
            let peer = try #require(content.backup?.peers.first)
            #expect(content.findings.isEmpty)
            #expect(peer.username == "Alice")
            #expect(peer.publicKeys?.fingerprint.hex == ExportText.fingerprint)
            #expect(peer.isOnline == true)
            #expect(peer.lastSeen?.source == "795000001")
            #expect(peer.isDirectlyConnected == (index >= 1 ? false : nil))
            #expect(peer.tcpAddress == (index >= 2 ? "192.0.2.1:25519" : nil))
            #expect(peer.avatar == (index >= 3 ? [0xFF, 0xD8, 0xFF, 0xD9] : nil))
            #expect(peer.isAccepted == (index < 4))
            #expect(peer.tlsCertificateFingerprint?.count == (index >= 5 ? 32 : nil))
            #expect(String(decoding: peer.sourceJSON, as: UTF8.self) == text)
        }
    }

    @Test("are the same person with an id of 16, 32 or 64 digits")
    func ids() throws {
        for length in [16, 32, 64] {
            #expect(try Self.read(Self.peer(id: String(ExportText.fingerprint.prefix(length)))).findings.isEmpty)
        }
    }

    @Test("with an id that does not fit the keys are reported")
    func wrongID() throws {
        for id in ["3619e750a2dd52bb", "3619e750a2dd52b", "", "alice", "3619E750A2DD52BA"] {
            #expect(try Self.read(Self.peer(id: id)).findings.counts == [.peerIDMismatch: 1])
        }
    }

    @Test("with a safety number of neither iOS form are reported")
    func wrongNumber() throws {
        #expect(try Self.read(Self.peer(number: "23732 18731 48516 33635 18375 82783")).findings.isEmpty)
        #expect(
            try Self.read(Self.peer(number: "12559 02102 68762 54115 93340 48813")).findings.counts == [
                .safetyNumberMismatch: 1
            ])
    }

    @Test("with keys of a wrong length are kept, without keys")
    func wrongKeys() throws {
        let content = try Self.read(Self.peer(dh: "AAAA"))
        #expect(content.findings.counts == [.peerKeyInvalid: 1])
        #expect(content.backup?.peers.first?.publicKeys == nil)
        #expect(content.backup?.peers.first?.username == "Alice")
        let text = try Self.read(Self.peer(dh: "not base64"))
        #expect(text.findings.counts == [.wrongType: 1, .unreadableByApps: 1])
    }

    @Test("with a key missing make the app refuse the backup")
    func missing() throws {
        let content = try Self.read(#"{"id":"cafe","username":"x"}"#)
        #expect(content.findings.counts == [.missingField: 3, .unreadableByApps: 1])
        #expect(content.findings.examples[.missingField]?.first?.item?.string == "peers[0].signingKeyPublic")
    }

    @Test("that stand twice, or are none, are reported")
    func odd() throws {
        let content = try Self.read(Self.peer(), Self.peer(), "null", Self.peer(extra: #","trustLevel":"maybe""#))
        #expect(content.findings.count(.duplicateID) == 2)
        #expect(content.findings.count(.unreadableContent) == 1)
        #expect(content.findings.count(.wrongType) == 1)
        #expect(content.backup?.peers.count == 3)
    }
}

@Suite("An Android backup")
struct AndroidBackupTests {
    static func read(peers: String = "[]", ids: String = "[]", messages: String = "{}") throws -> BundleContent {
        let text = ExportText.android(peers: peers, ids: ids, messages: messages)
        return try BundleMaker.content(text, as: .android(BundleMaker.quick))
    }

    static func message(_ id: String, extra: String = "") -> String {
        #"{"id":"\#(id)","peerID":"3619e750a2dd52ba","direction":"sent","body":"a \"quoted\" line\nand é","#
            + #""timestampMs":1773307201500\#(extra)}"#
    }

    @Test("unwraps the JSON that its strings hold")
    func strings() throws {
        let content = try Self.read(
            peers: #"[{"id":"3619e750a2dd52ba","username":"Al \"A\" ice"}]"#, ids: #"["3619e750a2dd52ba"]"#,
            messages:
                #"{"3619e750a2dd52ba":[\#(Self.message("a")),\#(Self.message("b", extra: #","status":"read""#))]}"#)
        let backup = try #require(content.backup)
        #expect(content.findings.isEmpty)
        #expect(backup.version == 1)
        #expect(backup.username == "alice")
        #expect(backup.createdAt == nil)
        #expect(backup.peers.map(\.id.text) == ["3619e750a2dd52ba"])
        #expect(backup.peers.first?.username == #"Al "A" ice"#)
        let conversation = try #require(backup.messages.conversations.first)
        let messages = try backup.messages.messages(of: conversation)
        #expect(messages.map { $0.body?.string } == Array(repeating: "a \"quoted\" line\nand é", count: 2))
        #expect(messages.map { $0.status?.string } == ["sending", "read"])
        #expect(messages.first?.time?.unixSeconds == 1_773_307_201.5)
        #expect(String(decoding: try #require(messages.first?.sourceJSON), as: UTF8.self) == Self.message("a"))
    }

    @Test("with a group is one conversation by its id")
    func group() throws {
        let id = "group.6f1b2c3d-0000-4000-8000-000000000000"
        let message = Self.message("a").replacing("3619e750a2dd52ba", with: id)
        let content = try Self.read(messages: #"{"\#(id)":[\#(message)]}"#)
        #expect(content.backup?.messages.conversations.map(\.id.kind) == [.group])
        #expect(content.findings.isEmpty)
    }

    @Test(
        "with messages that its app cannot decode is at risk", arguments: [#","isEdited":false"#, #","status":null"#])
    func refused(extra: String) throws {
        let content = try Self.read(messages: #"{"3619e750a2dd52ba":[\#(Self.message("a", extra: extra))]}"#)
        #expect(content.findings.count(.unreadableByApps) == 1)
        #expect(content.backup?.messages.conversations.map(\.isAtRisk) == [true])
    }

    @Test("counts milliseconds also in a message whose own date its encoder left out")
    func omittedTime() throws {
        let message = Self.message("a", extra: #","expiresAt":1773307201500"#)
            .replacing(#","timestampMs":1773307201500"#, with: "")
        let content = try Self.read(messages: #"{"3619e750a2dd52ba":[\#(message)]}"#)
        #expect(content.findings.counts == [.expired: 1])
        let backup = try #require(content.backup)
        let messages = try backup.messages.messages(of: #require(backup.messages.conversations.first))
        #expect(messages.first?.time(.expiresAt)?.unixSeconds == 1_773_307_201.5)
        #expect(messages.first?.status?.string == "sending")
    }

    @Test("with strings that hold no JSON is read as far as it goes")
    func broken() throws {
        let content = try Self.read(peers: "nothing", messages: "{")
        #expect(content.findings.count(.unreadableContent) == 2)
        #expect(content.backup?.username == "alice")
        #expect(content.backup?.messages.count == 0)
    }

    @Test("with a contact that is none keeps the others")
    func oddContact() throws {
        let content = try Self.read(peers: #"[7,{"id":"cafe","username":"x"},{"id":5}]"#)
        #expect(content.backup?.peers.map(\.id.text) == ["cafe", ""])
        #expect(
            content.findings.counts == [
                .unreadableContent: 1, .wrongType: 1, .missingField: 1, .unreadableByApps: 1,
            ])
    }

    @Test("with values that are no strings is reported")
    func notStrings() throws {
        let text = #"{"version":1,"username":"a","peers":[],"conversationIDs":"[]","messages":{}}"#
        let content = try BundleMaker.content(text, as: .android(BundleMaker.quick))
        #expect(content.findings.count(.wrongType) == 3)
        #expect(content.findings.count(.unreadableByApps) == 1)
    }

    @Test("counts pictures, which have a type and no id of their own")
    func pictures() throws {
        let picture = Self.message("a", extra: #","attachmentMimeType":"image\/jpeg""#)
        let content = try Self.read(messages: #"{"3619e750a2dd52ba":[\#(picture)]}"#)
        #expect(content.findings.counts == [.attachmentsNotIncluded: 1])
    }
}
