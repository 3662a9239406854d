import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("opening what the related apps sealed")
struct RelatedOpenerTests {
    private typealias Vectors = RelatedVectors

    // MARK: btmessage

    @Test("envelopes of all six types open, and the key of a group opens what follows it")
    func envelopes() throws {
        let opener = RelatedOpener(try RelatedSupport.keys(Vectors.items, Vectors.x25519))
        let document = try RelatedSupport.document(Vectors.envelopes.joined(separator: "\n"))
        #expect(document.kind == .btmessage)
        let expected = [
            "Gruß aus X-Wing 🛩", "clear", "clear", "clear", "group key Spaziergang", "an alle",
            "\u{FFFD}\u{FFFD} not text",
        ]
        #expect(RelatedSupport.words(document, opener) == expected)
        let array = try RelatedSupport.document("[" + Vectors.envelopes.joined(separator: " ,\n") + "]")
        #expect(array.items.map(\.place) == (1...7).map { .element($0) })
        let kinds = array.items.compactMap { item in
            if case .envelope(let envelope) = item.content { envelope.kind } else { nil }
        }
        #expect(kinds == [.chat, .keyExchange, .acknowledgement, .discovery, .groupKey, .groupChat, .chat])
        #expect(array.items.allSatisfy { $0.app == .btmessage })
    }

    @Test("without the key of its group a message says which key is missing; with another one, that it does not fit")
    func groupKeys() throws {
        let message = try RelatedSupport.document(Vectors.envelopes[5])
        func failure(_ keys: RelatedKeys) -> RelatedFailure? {
            if case .notOpened(let failure) = RelatedOpener(keys).open(message.items[0]) { failure } else { nil }
        }
        #expect(failure(RelatedKeys()) == .noKey([.groupKey]))
        let other = #"{"btmessage.groupKeys":{"another":"\#(Vectors.groupKey)"}}"#
        #expect(failure(try RelatedSupport.keys(other)) == .noKey([.groupKey]))
        let wrong = #"{"btmessage.groupKeys":{"\#(Vectors.groupID)":"\#(Vectors.streamKey)"}}"#
        #expect(failure(try RelatedSupport.keys(wrong)) == .notAuthentic)
        let right = #"{"btmessage.groupKeys":{"\#(Vectors.groupID)":"\#(Vectors.groupKey)"}}"#
        #expect(failure(try RelatedSupport.keys(right)) == nil)
        // 32 bytes that say nothing of themselves are tried for everything.
        #expect(failure(try RelatedSupport.keys(Vectors.groupKey)) == nil)
    }

    @Test("what sxkey seals in either form opens again, and not for somebody else")
    func sealing() throws {
        let identity = try BTMessageIdentity(
            peerID: Array(Vectors.ownID.utf8),
            xwing: RelatedSupport.xwing(Vectors.items), x25519: RelatedSupport.secret(Vectors.x25519).bytes.copy())
        let texts: [[UInt8]] = [[], Array("ça va ?".utf8), [UInt8](repeating: 7, count: 70_000)]
        for publicKey in [identity.xwingPublic, identity.x25519Public] {
            let publicKey = try #require(publicKey)
            for text in texts {
                let sealed = try BTMessageSealed.seal(text.span, to: publicKey)
                let envelope = BTMessageEnvelope(
                    id: [65], from: [66], to: [67], .chat(messageID: [68], sealed), timestamp: 1.5)
                let read = try BTMessageEnvelope(json: envelope.source)
                #expect(read == envelope)
                let item = RelatedItem(place: .whole, content: .envelope(read), size: 0)
                var keys = RelatedKeys()
                keys.add(identity)
                guard case .opened(let plaintext) = RelatedOpener(keys).open(item),
                    case .text(let found) = plaintext.content
                else {
                    Issue.record("does not open")
                    continue
                }
                #expect(found == text)
                let stranger = RelatedOpener(try RelatedSupport.keys(Vectors.streamKey, Vectors.otherItems))
                guard case .notOpened(let failure) = stranger.open(item) else {
                    Issue.record("opens for a stranger")
                    continue
                }
                #expect(failure == .notAuthentic)
            }
        }
        let text = texts[1]
        #expect(throws: RelatedFailure.badPublicKey) {
            _ = try BTMessageSealed.seal(text.span, to: [UInt8](repeating: 1, count: 33))
        }
        // A point of small order.
        #expect(throws: RelatedFailure.badPublicKey) {
            _ = try BTMessageSealed.seal(text.span, to: [UInt8](repeating: 0, count: 32))
        }
    }

    // MARK: lchat

    @Test(
        "a wrapped thread key opens with the private key in each of its forms, and opens what is sealed under it",
        arguments: [Vectors.raw, Vectors.pem, Vectors.jwk, #"{"privateKeyRaw":"\#(Vectors.raw)"}"#])
    func threads(key: String) throws {
        let text =
            #"{"threads":[{"wrapped":"\#(Vectors.wrapped)","message":"\#(Vectors.threadMessage)","title":"\#(Vectors.threadTitle)","#
            + #""push":"\#(Vectors.threadPush)","messages":["\#(Vectors.threadMessage)"]}]}"#
        let document = try RelatedSupport.document(text)
        #expect(document.kind == .lchat)
        let places = ["wrapped", "title", "push", "message", "messages"]
        #expect(document.items.map(\.place) == places.map { .thread(1, $0) })
        let opener = RelatedOpener(try RelatedSupport.keys(key))
        let message = "Nachricht ✉️"
        #expect(RelatedSupport.words(document, opener) == ["thread key", "Title", #"{"n":1}"#, message, message])
    }

    @Test("alone in a file, raw or in base64, a thread key and a message are known and open")
    func aloneInAFile() throws {
        let opener = RelatedOpener(try RelatedSupport.keys(Vectors.pem))
        let raw = try #require(try RelatedDocument.read(RelatedSupport.bytes(Vectors.wrapped)))
        #expect(raw.kind == .lchat)
        #expect(RelatedSupport.words(raw, opener) == ["thread key"])
        let message = try RelatedSupport.document(Vectors.threadMessage + "\n")
        #expect(message.kind == .boxes)
        #expect(RelatedSupport.words(message, opener) == ["Nachricht ✉️"])
        guard case .opened(let plaintext) = opener.open(message.items[0]) else { throw RelatedSupport.Missing() }
        #expect(plaintext.app == .lchat)
        let both = try RelatedSupport.document(Vectors.wrapped + "\r\n\r\n" + Vectors.threadMessage)
        #expect(both.kind == .lchat)
        #expect(both.items.map(\.place) == [.line(1), .line(3)])
    }

    @Test("what sxkey wraps opens again, in its own test vectors too")
    func vectors() throws {
        let texts = ["", "one", "два ✉️"].map { Array($0.utf8) }
        let file = try LChatVectors.make(texts: texts)
        var keys = RelatedKeys()
        try keys.add(file: file)
        // The private key, and the key of each thread in clear.
        #expect(keys.keys.map(\.kind) == [.privateKey] + [RelatedKeyKind](repeating: .threadKey, count: 3))
        let document = try #require(try RelatedDocument.read(RelatedSupport.exposed(file)))
        let words = RelatedSupport.words(document, RelatedOpener(keys))
        #expect(words == ["thread key", "", "thread key", "one", "thread key", "два ✉️"])
        var only = RelatedKeys()
        try only.add(keys.keys[0].secret, .privateKey)
        #expect(RelatedSupport.words(document, RelatedOpener(only)) == words)
        #expect(RelatedSupport.words(document, RelatedOpener(RelatedKeys())).allSatisfy { $0.hasPrefix("noKey") })
    }

    @Test("an ephemeral key that is no uncompressed point of the curve is refused")
    func badPoints() throws {
        let key = try RelatedSupport.secret(Vectors.raw)
        let good = RelatedSupport.bytes(Vectors.wrapped)
        var off = good
        off[64] ^= 1
        let wrapped = try #require(LChatThreadKey(off))
        #expect(!wrapped.hasPoint)
        #expect(throws: RelatedFailure.badPublicKey) { _ = try wrapped.unwrap(with: key.bytes) }
        for first in [UInt8]([0, 2, 3, 5, 6, 7]) { #expect(LChatThreadKey([first] + good.dropFirst()) == nil) }
        #expect(LChatThreadKey(good + [0]) == nil)
        for place in [65, 80, 124] {
            var changed = good
            changed[place] ^= 1
            let wrapped = try #require(LChatThreadKey(changed))
            #expect(throws: RelatedFailure.notAuthentic) { _ = try wrapped.unwrap(with: key.bytes) }
        }
    }

    // MARK: CoNET

    @Test("frames of a mailbox stream open in whatever way they are kept")
    func frames() throws {
        let plain = [#"{"kind":"mailbox"}"#, #"{"kind":"message","text":"你好"}"#]
        let lines = RelatedVectors.frames.joined(separator: "\n")
        let list = #"[""# + RelatedVectors.frames.joined(separator: #"", ""#) + #""]"#
        let object = #"{"frames":\#(list)}"#
        let sealed = #"{"frames":[{"sealed":"\#(Vectors.frames[0])"},{"sealed":"\#(Vectors.frames[1])"}]}"#
        for text in [lines, list, object, sealed] {
            for keys in [Vectors.streamKey, #"{"streamKey":"\#(Vectors.streamKey)"}"#] {
                let document = try RelatedSupport.document(text)
                #expect(RelatedSupport.words(document, RelatedOpener(try RelatedSupport.keys(keys))) == plain)
            }
        }
        let without = RelatedSupport.words(try RelatedSupport.document(lines), RelatedOpener(RelatedKeys()))
        #expect(without == [String](repeating: "\(RelatedFailure.noKey([.threadKey, .streamKey]))", count: 2))
        let wrong = RelatedOpener(try RelatedSupport.keys(Vectors.threadKey))
        #expect(RelatedSupport.words(try RelatedSupport.document(lines), wrong) == ["notAuthentic", "notAuthentic"])
    }

    @Test("a history fragment is refused: how its key is derived is not public")
    func historyFragments() {
        #expect(throws: RelatedFileError.historyFragment) {
            _ = try RelatedDocument.read([1, 2, 3], as: .conetHistory)
        }
    }

    @Test("armoured messages are found in a text, and without gpg the reason is said")
    func openPGP() throws {
        let message = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n"
        let document = try RelatedSupport.document("\n" + message + "between\r\n" + message)
        #expect(document.kind == .openPGP)
        #expect(document.items.map(\.place) == [.element(1), .element(2)])
        let opener = RelatedOpener(RelatedKeys()) { () throws(OpenPGPError) in
            try OpenPGPProgram.find(lookingIn: ["/nonexistent/gpg"])
        }
        guard case .notOpened(let failure) = opener.open(document.items[0]) else { throw RelatedSupport.Missing() }
        #expect(failure == .openPGP(.notInstalled))
    }

    @Test(
        "armour may have white space around its lines and other text before it, and armour without a message is an error"
    )
    func armour() throws {
        for begin in [
            "-----BEGIN PGP MESSAGE----- ", "  -----BEGIN PGP MESSAGE-----", "\t-----BEGIN PGP MESSAGE-----\t\r",
        ] {
            let document = try RelatedSupport.document(
                "Hi, see below:\n\n\(begin)\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----  \nbye\n")
            guard case .openPGP(let message) = try #require(document.items.first).content else {
                throw RelatedSupport.Missing()
            }
            #expect(document.items.count == 1)
            #expect(
                String(decoding: message, as: UTF8.self)
                    == "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n")
        }
        let far = String(repeating: "a line\n", count: 1_000) + "-----BEGIN PGP MESSAGE-----\n"
        #expect(try RelatedDocument.read(Array(far.utf8)) == nil)
        let many = String(repeating: "-----BEGIN PGP MESSAGE-----\n-----END PGP MESSAGE-----\n", count: 3)
        #expect(OpenPGPArmor.messages(in: Array(many.utf8), limit: 3)?.count == 3)
        #expect(OpenPGPArmor.messages(in: Array(many.utf8), limit: 2) == nil)
    }

    @Test("only what gpg says that it decrypted whole is opened; what was never encrypted is called that")
    func openPGPStatus() {
        func status(_ lines: String...) -> [Bool] {
            let status = OpenPGPStatus(Array(lines.map { "[GNUPG:] \($0)\n" }.joined().utf8))
            return [status.isEncrypted, status.isProven]
        }
        let text = "PLAINTEXT 62 1776000000 "
        #expect(
            status("BEGIN_DECRYPTION", "DECRYPTION_INFO 2 9 0", text, "DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION")
                == [true, true])
        #expect(
            status("BEGIN_DECRYPTION", "DECRYPTION_INFO 0 9 2", text, "DECRYPTION_OKAY", "END_DECRYPTION") == [
                true, true,
            ])
        #expect(
            status("BEGIN_DECRYPTION", "DECRYPTION_INFO 0 9 0", text, "DECRYPTION_OKAY", "END_DECRYPTION") == [
                true, false,
            ])
        #expect(status("BEGIN_DECRYPTION", text, "BADMDC", "DECRYPTION_FAILED", "END_DECRYPTION") == [true, false])
        #expect(status(text) == [false, false])
        #expect(status("NEWSIG", text) == [false, false])
        #expect(status() == [false, false])
        // A text before the encrypted one.
        #expect(
            status(
                text, "BEGIN_DECRYPTION", "DECRYPTION_INFO 2 9 0", text, "DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION")
                == [false, false])
    }

    @Test("so many attempts are made and no more, and so many keys of one group are taken and no more")
    func ceilings() throws {
        let document = try RelatedSupport.document(Vectors.frames.joined(separator: "\n"))
        let keys = try RelatedSupport.keys(Vectors.streamKey)
        #expect(!RelatedSupport.words(document, RelatedOpener(keys, attempts: 2)).contains("tooManyAttempts"))
        #expect(RelatedSupport.words(document, RelatedOpener(keys, attempts: 1))[1] == "tooManyAttempts")
        var many = RelatedKeys()
        let group = ByteText("g")
        for number in 0..<RelatedLimits.groupKeys {
            let bytes = [UInt8](repeating: UInt8(number), count: 32)
            try many.add(RelatedSecret(try SecretBytes(copying: bytes.span)), .groupKey, group: group)
        }
        let last = [UInt8](repeating: 200, count: 32)
        let one = RelatedSecret(try SecretBytes(copying: last.span))
        #expect(throws: RelatedKeyError.tooMany(limit: RelatedLimits.groupKeys)) {
            try many.add(one, .groupKey, group: group)
        }
        try many.add(one, .groupKey, group: ByteText("h"))
        try many.add(one, .groupKey, group: ByteText("h"))
        #expect(many.keys.count == RelatedLimits.groupKeys + 1)
    }

    @Test("the kind that the user says decides which keys are tried, and a raw box that begins like JSON is one")
    func givenKind() throws {
        let keys = try RelatedSupport.keys(Vectors.streamKey)
        for (kind, app) in [(RelatedFileKind.lchat, RelatedApp.lchat), (.conet, .conet)] {
            let document = try #require(try RelatedDocument.read(Array(Vectors.frames[1].utf8), as: kind))
            #expect(document.items[0].app == app)
            guard case .opened(let plaintext) = RelatedOpener(keys).open(document.items[0]) else {
                throw RelatedSupport.Missing()
            }
            #expect(plaintext.app == app)
        }
        let raw = Array("{".utf8) + [UInt8](repeating: 0xA5, count: 40)
        #expect(try RelatedDocument.read(raw) == nil)
        guard case .box = try #require(try RelatedDocument.read(raw, as: .lchat)).items[0].content else {
            throw RelatedSupport.Missing()
        }
    }

    @Test("JSON that only looks alike is of no related app, and a member of another type is said")
    func lookalikes() throws {
        for text in [
            #"["test","abandon"]"#, #"[""]"#, #"{"frames":[5],"peerID":"x"}"#, #"{"threads":[{"message":5}]}"#,
            #"{"threads":[]}"#,
        ] { #expect(try RelatedDocument.read(Array(text.utf8)) == nil, "\(text)") }
        let thread = #"{"threads":[{"message":"\#(Vectors.threadMessage)","title":5,"messages":"x"}]}"#
        let places = try RelatedSupport.document(thread).items.map(\.place)
        #expect(Set(places) == [.thread(1, "title"), .thread(1, "message"), .thread(1, "messages")])
        let ttl = Vectors.envelopes[5].replacing(#""ttl":7"#, with: #""ttl":99999999999"#)
        guard case .envelope(let envelope) = try RelatedSupport.document(ttl).items[0].content else {
            throw RelatedSupport.Missing()
        }
        #expect(envelope.ttl == nil)
    }

    // MARK: What it is not

    @Test("a key or a hash of 32 bytes is not called sealed unless somebody says so")
    func likeKeys() throws {
        let hash = String(repeating: "9f86d081", count: 8)
        let key = "7CyBVNd1rpltEd1XThBDPFCrgR4zbTk1GLxqH8d9vLI="
        for text in [hash, key, key + "\n", hash.uppercased() + "\r\n"] {
            #expect(try RelatedDocument.read(Array(text.utf8)) == nil, "\(text)")
            #expect(try RelatedDocument.read(Array(text.utf8), as: .lchat)?.items.count == 1, "\(text)")
        }
        // One byte more, and it is a box.
        #expect(try RelatedDocument.read(Array("7CyBVNd1rpltEd1XThBDPFCrgR4zbTk1GLxqH8d9vLIAAAA=".utf8)) != nil)
    }

    // MARK: Hostile input

    @Test("no changed bit of an envelope traps, and none opens to another text")
    func bitFlips() throws {
        let keys = try RelatedSupport.keys(Vectors.items, Vectors.x25519, Vectors.groupKey)
        for envelope in [Vectors.envelopes[5], Vectors.envelopes[6]] {
            let good = Array(envelope.utf8)
            let texts = ["an alle", "\u{FFFD}\u{FFFD} not text"]
            for place in good.indices {
                var changed = good
                changed[place] ^= 1 << UInt8(place % 8)
                guard let document = try? RelatedDocument.read(changed) else { continue }
                for word in RelatedSupport.words(document, RelatedOpener(keys)) where texts.contains(word) == false {
                    #expect(word == "clear" || word.contains("(") || word == "notAuthentic" || word == "badPublicKey")
                }
            }
        }
    }

    @Test("a text of this kind that is cut anywhere traps nowhere")
    func cuts() throws {
        let keys = try RelatedSupport.keys(Vectors.items, Vectors.x25519)
        let text = Array(Vectors.envelopes.suffix(2).joined(separator: "\n").utf8)
        for count in text.indices {
            guard let document = try? RelatedDocument.read(Array(text.prefix(count))) else { continue }
            _ = RelatedSupport.words(document, RelatedOpener(keys))
        }
    }
}
