import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite("The header of a bundle")
struct HeaderTests {
    private static let id = Base64.encode([UInt8](repeating: 7, count: 32).span)
    private static let salt = Base64.encode([UInt8](repeating: 1, count: 32).span)
    private static let wrapped = Base64.encode([UInt8](repeating: 2, count: 48).span)

    private static func passphrase(memory: String = "19456", passes: String = "1", lanes: String = "1") -> String {
        """
        {"lanes":\(lanes),"memory":\(memory),"passes":\(passes),"salt":"\(salt)","type":"argon2id",\
        "wrapped":"\(wrapped)"}
        """
    }

    private static let key = "{\"ephemeral\":\"\(salt)\",\"type\":\"x25519\",\"wrapped\":\"\(wrapped)\"}"

    private static func header(_ recipients: [String], kind: String = "passphrase") -> String {
        "{\"bundle\":\"\(id)\",\"kind\":\"\(kind)\",\"recipients\":[\(recipients.joined(separator: ","))]}"
    }

    private func error(_ text: String) -> SXBError? {
        do throws(SXBError) {
            let content = try HeaderContent(parsing: Array(text.utf8))
            #expect(content.text == Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("reads its own spelling and writes it again")
    func spelling() {
        #expect(error(Self.header([Self.passphrase()])) == nil)
        #expect(error(Self.header([Self.key, Self.key], kind: "public-key")) == nil)
        #expect(error(Self.header(["{\"type\":\"later\",\"x\":[1,{\"a\":[]}]}", Self.key], kind: "public-key")) == nil)
    }

    @Test("takes no other spelling of the same JSON")
    func otherSpellings() {
        let right = Self.header([Self.passphrase()])
        for (old, new) in [
            ("{\"bundle", "{ \"bundle"), ("\"kind\":", "\"kind\": "), ("passphrase", "pass\\u0070hrase"),
            ("19456", "19456.0"), ("19456", "019456"), ("19456", "1.9456e4"), ("19456", "-19456"), ("19456", "+19456"),
            ("19456", "true"), ("19456", "null"), ("19456", "99999999999999999999"), ("19456", "9007199254740993"),
            ("}]}", "}]}\n"), ("}]}", "}],}"), ("}]}", "},]}"), ("}]}", "}]"), ("}]}", "}]}}"),
            ("passphrase", "passphräse"),
        ] {
            let text = right.replacing(old, with: new)
            #expect(text != right)
            guard case .headerMalformed(.text) = error(text) else {
                Issue.record("\(new): \(String(describing: error(text)))")
                continue
            }
        }
        #expect(error("") == .headerMalformed(.text(offset: 0)))
        #expect(error(String(repeating: "[", count: 60_000)) == .headerMalformed(.text(offset: 8)))
    }

    @Test("refuses a key that stands twice, is missing, is not known, or in another order")
    func keys() {
        let right = Self.header([Self.passphrase()])
        #expect(
            error(right.replacing("{\"bundle\"", with: "{\"bundle\":\"\",\"bundle\""))
                == .headerMalformed(
                    .repeatedKey(offset: 13)))
        #expect(error("{\"a\":1,\"b\":1,\"a\":1}") == .headerMalformed(.repeatedKey(offset: 13)))
        #expect(error("{\"kind\":\"passphrase\",\"recipients\":[]}") == .headerMalformed(.key("header")))
        #expect(error(right.replacing("\"kind\"", with: "\"extra\":1,\"kind\"")) == .headerMalformed(.key("header")))
        #expect(
            error(right.replacing("\"lanes\":1,", with: "\"lanes\":1,\"later\":1,"))
                == .headerMalformed(.key("recipients")))
        guard case .headerMalformed(.text) = error("{\"kind\":\"passphrase\",\"bundle\":\"\",\"recipients\":[]}") else {
            Issue.record("another order was taken")
            return
        }
        #expect(error(right.replacing("passphrase", with: "secret")) == .headerMalformed(.key("kind")))
        #expect(error(right.replacing(Self.id, with: Self.id.dropLast(4) + "")) == .headerMalformed(.key("bundle")))
        #expect(error(right.replacing(Self.salt, with: Self.wrapped)) == .headerMalformed(.key("salt")))
        #expect(error("[]") == .headerMalformed(.key("header")))
    }

    @Test("has recipients, not too many, and of one kind")
    func recipients() {
        #expect(error(Self.header([])) == .headerMalformed(.noRecipients))
        #expect(error(Self.header(Array(repeating: Self.passphrase(), count: 4))) == nil)
        #expect(
            error(Self.header(Array(repeating: Self.passphrase(), count: 5)))
                == .headerMalformed(.tooManyRecipients(limit: 4, found: 5)))
        #expect(error(Self.header(Array(repeating: Self.key, count: 64), kind: "public-key")) == nil)
        #expect(
            error(Self.header(Array(repeating: Self.key, count: 65), kind: "public-key"))
                == .headerMalformed(.tooManyRecipients(limit: 64, found: 65)))
        #expect(error(Self.header([Self.key])) == .headerMalformed(.mixedRecipients))
        #expect(error(Self.header([Self.passphrase()], kind: "public-key")) == .headerMalformed(.mixedRecipients))
        #expect(
            error(Self.header([Self.passphrase(), Self.key])) == .headerMalformed(.mixedRecipients))
        #expect(error(Self.header(["1"])) == .headerMalformed(.key("type")))
    }

    @Test("refuses costs out of bounds before anything is derived")
    func costs() {
        let memory = Argon2id.Parameters.memoryKiBBounds
        for (text, found) in [
            ("0", 0), ("19455", 19_455), ("2097153", 2_097_153), ("4294967295", UInt32.max),
            ("9007199254740992", UInt32.max),
        ] as [(String, UInt32)] {
            #expect(
                error(Self.header([Self.passphrase(memory: text)]))
                    == .cost(recipient: 0, .memoryKiB(allowed: memory, found: found)))
        }
        for (text, found) in [("0", 0), ("17", 17), ("4294967295", .max)] as [(String, UInt32)] {
            #expect(
                error(Self.header([Self.passphrase(passes: text)]))
                    == .cost(recipient: 0, .passes(allowed: 1...16, found: found)))
            #expect(
                error(Self.header([Self.passphrase(), Self.passphrase(lanes: text)]))
                    == .cost(recipient: 1, .lanes(allowed: 1...16, found: found)))
        }
        #expect(
            error(Self.header([Self.passphrase(memory: "2097152", passes: "9")]))
                == .cost(recipient: 0, .work(maximumKiB: 16 << 20, found: 9 * 2_097_152)))
        // Each is within the bounds, and together they are not.
        let half = Self.passphrase(memory: "2097152", passes: "4")
        #expect(error(Self.header([half, half])) == nil)
        #expect(
            error(Self.header([half, half, Self.passphrase()]))
                == .totalCost(maximumKiB: 16 << 20, foundKiB: 16 << 20 + 19_456))
    }

    @Test("shows kind, recipients and lengths without a secret")
    func inspection() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.sxb")
        let cost = try SampleBundle.cheap
        try SampleBundle.write(
            to: path,
            recipients: [
                .passphrase(SampleBundle.passphrase("a"), cost: cost),
                .passphrase(SampleBundle.passphrase("b"), cost: cost),
            ])
        let header = try SXBReader.inspect(FilePath(path))
        #expect(header.version == 1)
        #expect(header.kind == .passphrase)
        #expect(header.recipients == [.passphrase(cost), .passphrase(cost)])
        #expect(header.payload.upperBound == header.fileLength - 16)
    }

    @Test("nobody becomes a recipient whose key cannot share a secret, or twice, or beside a passphrase")
    func newRecipients() throws {
        let key = try SampleBundle.key().publicKey
        let passphrase = SXBRecipient.passphrase(try SampleBundle.passphrase(), cost: try SampleBundle.cheap)
        func error(_ recipients: [SXBRecipient]) -> SXBError? {
            do throws(SXBError) {
                _ = try RecipientList(recipients)
                return nil
            } catch {
                return error
            }
        }
        #expect(error([.publicKey(key)]) == nil)
        #expect(error([]) == .recipients(.none))
        #expect(error([.publicKey(key), passphrase]) == .recipients(.mixed))
        #expect(error([.publicKey(key), .publicKey(key)]) == .recipients(.repeated(1)))
        #expect(error([.publicKey(key), .publicKey([UInt8](repeating: 0, count: 32))]) == .unusablePublicKey(index: 1))
        #expect(error([.publicKey([1])]) == .unusablePublicKey(index: 0))
        #expect(error([passphrase, passphrase, passphrase, passphrase]) == nil)
        #expect(
            error(Array(repeating: passphrase, count: 5)) == .recipients(.tooMany(limit: 4, found: 5)))
        #expect(error([.kept(0)]) == .recipients(.notThere(0)))
        #expect(
            error([.passphrase(try SampleBundle.key(), cost: try SampleBundle.cheap)]) == .recipients(.mixed))
        let large = try Argon2id.Parameters(memoryKiB: 2 << 20, passes: 5, lanes: 1)
        let expensive = SXBRecipient.passphrase(try SampleBundle.passphrase(), cost: large)
        #expect(
            error([expensive, expensive]) == .totalCost(maximumKiB: 16 << 20, foundKiB: 20 << 20))
    }
}
