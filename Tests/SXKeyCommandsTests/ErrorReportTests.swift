import CommandKit
import SophaxCore
import SystemIO
import Testing

@testable import SXKeyCommands
@testable import SophaxFiles

/// Every error that a command can end with, those that no test can provoke included.
@Suite("error messages")
struct ErrorReportTests {
    private static let path: FilePath = "phone"
    private static let file = StoreFile(path: "phone/a.enc", stem: ByteText("a"), kind: .conversation, size: 9)
    private static let id = ConversationID(ByteText("abc"))

    private static let fileErrors: [FileError] =
        [2, 17, 21, 20, 13, 28, 122, 32, 40, 5, 9].map {
            FileError(.open, path, code: $0)
        } + [
            FileError(.open, path, .noWriter(seconds: 5)), FileError(.read, path, .tooLarge(limit: 9)),
            FileError(.create, path, .sameAsInput), FileError(.create, path, .notRegular),
        ]

    private static let bundleErrors: [BundleError] =
        BundleKind.allCases.flatMap { kind -> [BundleError] in
            [
                .otherKind(expected: kind, found: nil), .otherKind(expected: kind, found: .backup),
                .truncated(kind, minimum: 70, found: 9), .newerVersion(kind, found: 9, newest: 1),
                .unknownVersion(kind, found: 0), .noIterations(kind),
                .tooManyIterations(kind, found: 99_000_000, ceiling: 10_000_000), .notAuthentic(kind, attempts: 1),
                .notAuthentic(kind, attempts: 6),
            ]
        } + [
            .file(fileErrors[0]), .empty, .notAnExport, .tooLarge(found: 3_000_000_000, ceiling: 2_000_000_000),
            .emptyPassphrase, .outOfMemory(requested: 1000), .libraryFailure,
        ]

    private static let keyErrors: [StoreKeyError] = [
        .empty, .tooLarge(found: 99, ceiling: 9), .wrongLength(found: 3), .notHexadecimal, .notBase64,
        .wrongKeyLength(found: 31), .notJSON(offset: 3), .noStorageMaster(accounts: []),
        .noStorageMaster(accounts: [ByteText("identity.dh")]), .repeatedItem(ByteText("a")),
        .itemNotBase64(ByteText("b")),
        .itemWrongLength(found: 31), .outOfMemory(requested: 9),
    ]

    private static let secretErrors: [SecretInputError] = [
        .file(fileErrors[0]), .notOpen(9), .empty(path), .lineBreak(path), .nul(path), .tooLong(path, limit: 9),
        .noTerminal, .noAnswer, .terminal(code: 5), .memory(.exhausted(requested: 9)),
    ]

    private static let failures: [StoreFileFailure] = [
        .file(fileErrors[4]), .tooShort(found: 3), .notAuthentic, .outOfMemory(requested: 9), .changing, .cipher,
    ]

    private static let preKeyErrors: [PreKeyFileError] =
        [
            .missing, .repeated, .wrongType, .notBase64, .outOfRange, .notATime, .wrongLength(expected: 32, found: 1),
            .tooLong(limit: 1, found: 2), .unknownWord, .tooMany(limit: 1),
        ].map { .field("bundle.timestamp", $0) } + [
            .tooLarge(found: 5_000_000, ceiling: 4_194_304), .notJSON(offset: 7), .notRecognised,
            .otherMessage(type: [0x1B, 0x5B]), .outOfMemory,
        ]

    private static let captureErrors: [CaptureError] =
        ForeignFile.allCases.map { .foreign($0) } + [
            .file(fileErrors[0]), .empty, .format(.notJSON(offset: 3)), .encrypted, .notAuthentic, .cipher,
        ]

    private static let relatedErrors: [CommandError] =
        [
            RelatedKeyError.empty, .tooLarge(limit: 9), .unknownForm, .noKeys, .format(.notJSON(offset: 3)),
            .notAPeerID,
            .keyLength(.xwing, expected: 64, found: 1), .hashDiffers, .publicKeyDiffers, .notAPrivateKey, .notPKCS8,
            .otherCurve, .otherPEM, .encryptedPEM, .tooMany(limit: 9), .memory, .libraryFailure,
        ].map { .relatedKey($0, path) }
        + [
            RelatedFileError.file(fileErrors[0]), .format(.notJSON(offset: 3)), .tooMany(limit: 9), .keys,
            .historyFragment,
        ].map { .relatedFile($0, path) }
        + RelatedKeyKind.allCases.map { .history(.related(.noKey([$0])), path) }
        + [
            RelatedFailure.noKey([.threadKey, .streamKey]), .notAuthentic, .badPublicKey, .keyLength(found: 9),
            .boxLength(found: 9), .format(.notJSON(offset: 3)), .openPGP(.notInstalled),
            .openPGP(.cannotStart(code: 2)),
            .openPGP(.notDecrypted), .openPGP(.tooLarge(limit: 9)), .openPGP(.tookTooLong(seconds: 9)),
            .openPGP(.died(signal: 9)), .openPGP(.connection(code: 9)), .historyFragment, .memory, .libraryFailure,
        ].map { .history(.related($0), path) }
        + [
            .related(.items(.hashDiffers)), .related(.nothingToExport), .related(.nothingToImport(path)),
            .related(.vectors(.memory)), .related(.memory), .related(.twoValues([65], path, path)),
            .related(.privateKeys(2)), .related(.threadKeys(0)), .related(.wrapping(.memory)),
            .history(.related(.noMessages), path),
            .history(.related(.tooManyAttempts), path),
            .history(.related(.openPGP(.notEncrypted)), path),
        ]

    private static let all: [CommandError] =
        relatedErrors
        + preKeyErrors.map { .preKeyFile($0, path) } + captureErrors.map { .capture($0, path) }
        + [
            .preKey(.wrongLength(.signature, expected: 64, found: 1)),
            .preKey(.idTooLarge(.signedPreKey, found: 1 << 40)),
            .preKey(.timestampNotFinite), .preKey(.memory(.exhausted(requested: 9))), .preKey(.libraryFailure),
        ]
        + fileErrors.map { .file($0) } + fileErrors.map { .output($0) } + bundleErrors.map { .bundle($0, path) }
        + keyErrors.map { .storeKey($0, path) } + secretErrors.map { .secret($0, what: "passphrase for \"x\"") }
        + failures.map { .storeFile($0) } + failures.map { .attachment(ByteText("id"), $0) }
        + [
            .folder(.file(fileErrors[0])), .folder(.notAStore(path)), .wrongStoreKey(path),
            .nothingReadable(path, .tooShort(found: 3)),
            .damaged([file], in: path), .damaged([file, file, file, file, file], in: path),
            .noConversation(Array("x".utf8), known: []), .noConversation(Array("x".utf8), known: [id]),
            .severalConversations(Array("x".utf8), matching: [id, id]), .noAttachment(Array("x".utf8)),
            .noAttachmentFolder(path), .bundleContent(.notJSON(offset: 3), path),
            .bundleContent(.tooManyMembers(limit: 9), path), .bundleContent(.outOfMemory, path), .noMessages(path),
        ]

    @Test("messages are one line each, begin small or with a name, and end without a full stop")
    func form() {
        for error in Self.all {
            let message = error.message
            for line in [message.message.plain] + message.hints.map(\.plain) {
                #expect(!line.isEmpty && !line.contains("\n"), "\(line)")
                #expect(line.last != "." && line.last != " ", "\(line)")
                #expect(line.first?.isUppercase == false, "\(line)")
                #expect(!line.contains("Optional(") && !line.contains("  "), "\(line)")
                for article in ["a a", "a i", "a e", "a o", "a A", "1 keys", "1 bytes are"] {
                    #expect(!(" " + line).contains(" " + article), "\(line)")
                }
            }
            #expect(message.exit != .success)
            #expect(!message.code.isEmpty && message.code.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
        }
    }

    @Test("each kind of error has the exit status that the table of the design gives it")
    func statuses() {
        let expected: [(CommandError, CommandStatus)] = [
            (.file(Self.fileErrors[0]), .notFound), (.output(FileError(.create, Self.path, .exists)), .wouldOverwrite),
            (.output(FileError(.write, Self.path, code: 28)), .failure),
            (.bundle(.empty, Self.path), .unreadable), (.bundle(.notAnExport, Self.path), .unreadable),
            (.bundle(.truncated(.backup, minimum: 66, found: 9), Self.path), .unreadable),
            (.bundle(.newerVersion(.identity, found: 3, newest: 2), Self.path), .newerVersion),
            (.bundle(.notAuthentic(.identity, attempts: 1), Self.path), .wrongSecret),
            (.bundleContent(.notJSON(offset: 1), Self.path), .unreadable), (.wrongStoreKey(Self.path), .wrongSecret),
            (.damaged([Self.file], in: Self.path), .unreadable), (.nothingReadable(Self.path, .changing), .unreadable),
            (.storeKey(.empty, Self.path), .wrongSecret), (.secret(.noTerminal, what: "x"), .usage),
            (.noConversation([], known: []), .notFound), (.noAttachment([]), .notFound),
            (.noMessages(Self.path), .notFound),
        ]
        for (error, status) in expected { #expect(error.message.exit == status, "\(error.message.message.plain)") }
    }

    @Test("no error says more of a full disk than it knows")
    func fullDisk() {
        let file = CommandError.output(FileError(.write, "x.jsonl", code: 28)).message
        #expect(file.message.plain == "cannot write \"x.jsonl\": no space left on the device")
        #expect(file.hints.map(\.plain) == ["nothing was left behind; make room, or name another --out"])
        let stream = CommandError.output(FileError(.write, StandardStream.output.path, code: 28)).message
        #expect(stream.hints.isEmpty)
    }
}
