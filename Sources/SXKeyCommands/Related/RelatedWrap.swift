import CommandKit
import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// `sxkey related wrap`
struct RelatedWrap: Command {
    static let specification = CommandSpecification(
        noun: "related", verb: "wrap",
        summary: "wrap the key of a thread of lchat for the owner of a public key",
        discussion: [
            "Writes 125 bytes in base64: a fresh public key, and the thread key sealed under what it shares with the given one. Nothing in "
                + "it says who wrapped it."
        ],
        operands: [OperandSpecification("FILE", .file, .one, "the key of a thread: 32 bytes, or JSON with threadKey")],
        options: [
            .value(
                "public-key", "KEY", .text, "whom it is for: 65 bytes of P-256, uncompressed, in base64",
                isRequired: true)
        ] + GroupKeyTarget.options,
        examples: [
            Example(
                "sxkey related wrap thread.key --public-key \(example) --out wrapped.txt",
                "hand the key of a thread to the owner of a public key")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "no key of a thread, several, or no point of the curve"),
            StatusNote(.wouldOverwrite), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private static let example =
        "BPEkdDuC5OUcs+S17Y/gH6lR8N8OBvLIeDJ/563kwXkmb+ZIWDoeavvvqTUb3zqIlbIyLIT58GOx9ltaFXKGNvA="

    private let path: FilePath
    private let publicKey: [UInt8]
    private let target: GroupKeyTarget

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = FilePath(bytes: arguments.operands("FILE")[0])
        let text: [UInt8] = arguments.value("public-key") ?? []
        guard let key = Base64.decode(text.span), P256.isPublicKey(key.span) else {
            throw .other("--public-key is no point of P-256 of 65 bytes in base64")
        }
        publicKey = key
        target = try GroupKeyTarget(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let file = try target.checked(notSameAs: [try? InputFile.identity(ofOperand: path)].compactMap { $0 })
        var keys = RelatedKeys()
        try RelatedKeySource.add(path, to: &keys, context)
        let fitting = keys.keys.filter { $0.kind == .threadKey || $0.kind == .any }
        guard let key = fitting.first, fitting.count == 1 else { throw .related(.threadKeys(fitting.count)) }
        let wrapped: LChatThreadKey
        do throws(RelatedFailure) {
            wrapped = try LChatThreadKey.wrap(key.secret.bytes, for: publicKey)
        } catch {
            throw .related(.wrapping(error))
        }
        let line = Array((Base64.encode(wrapped.bytes.span) + "\n").utf8)
        let text: SecretBytes
        do { text = try SecretBytes(copying: line.span) } catch { throw .related(.memory) }
        try file.write(text)
        try file.commit()
        context.console.present(RelatedThreadKeysWritten(path: file.path, keys: 1, isWrapped: true))
        return .success
    }
}

/// `sxkey related unwrap`
struct RelatedUnwrap: Command {
    static let specification = CommandSpecification(
        noun: "related", verb: "unwrap",
        summary: "unwrap keys of threads of lchat with a private key",
        discussion: [
            "Writes the keys as JSON that --related-key and \"sxkey related import\" read. It is not encrypted, so it takes --reveal; to read "
                + "the messages of a thread its key is needed in no file: \"sxkey wire open\" unwraps it by itself."
        ],
        operands: [
            OperandSpecification(
                "FILE", .file, .one, "wrapped keys: 125 bytes, base64, or JSON with threads; \"-\" is standard input")
        ],
        options: [RelatedKeySource.key, .flag("reveal", "write the keys without encryption")] + GroupKeyTarget.options
            + KeySource.options,
        examples: [
            Example(
                "sxkey related unwrap threads.json --related-key lchat.pem --reveal --out threads.key",
                "the keys of threads, for a private key in a file")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some do not open"),
            StatusNote(.unreadable, "no wrapped key in it"), StatusNote(.wrongSecret, "not one opens"),
            StatusNote(.wouldOverwrite), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let path: FilePath
    private let keys: RelatedKeySource
    private let source: KeySource
    private let target: GroupKeyTarget

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = FilePath(bytes: arguments.operands("FILE")[0])
        keys = try RelatedKeySource(keysOf: arguments)
        source = try KeySource(arguments)
        target = try GroupKeyTarget(arguments)
        let takers = [path == "-", keys.readsStandardInput, source.readsStandardInput]
        if takers.count(where: { $0 }) > 1 { throw .other("standard input can be read for one thing only") }
        if !arguments.flag("reveal") {
            throw .other(
                "the keys are written without encryption",
                hint: "say --reveal if that is what you want, and keep the file where nobody else gets at it")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let own = [try? InputFile.identity(ofOperand: path)].compactMap { $0 }
        let file = try target.checked(notSameAs: own + keys.inputs + source.inputs(context))
        let wrapped = try wrappedKeys()
        guard !wrapped.isEmpty else { throw .related(.threadKeys(0)) }
        var all = try keys.read(nil, context)
        if !keys.isGiven || source.isGiven { try source.open(context).addRelatedKeys(to: &all) }
        let opener = RelatedOpener(all)
        var opened: [RelatedSecret] = []
        var failure: RelatedFailure?
        for item in wrapped {
            do throws(RelatedFailure) { opened.append(try opener.unwrapped(item)) } catch { failure = failure ?? error }
        }
        guard !opened.isEmpty else { throw .history(.related(failure ?? .notAuthentic), path) }
        let text: SecretBytes
        do throws(SecretMemoryError) { text = try Self.text(of: opened) } catch { throw .related(.memory) }
        try file.write(text)
        try file.commit()
        context.console.present(
            RelatedThreadKeysWritten(
                path: file.path, keys: opened.count, isWrapped: false, notOpened: wrapped.count - opened.count))
        return failure == nil ? .success : .someDamaged
    }

    /// Every wrapped key of the file.
    private func wrappedKeys() throws(CommandError) -> [LChatThreadKey] {
        let input = try InputFile.forCommand(path)
        var looked: LookedFile
        do throws(FileError) { looked = try LookedFile(input) } catch { throw .file(error) }
        let document: RelatedDocument?
        do throws(RelatedFileError) {
            document = try RelatedDocument.read(&looked)
        } catch {
            throw .relatedFile(error, path)
        }
        return (document?.items ?? []).compactMap { if case .threadKey(let key) = $0.content { key } else { nil } }
    }

    /// `{"threads":[{"threadKey": …}]}`, as --related-key reads it.
    private static func text(of keys: [RelatedSecret]) throws(SecretMemoryError) -> SecretBytes {
        let opening = Array("[".utf8)
        let comma = Array(",".utf8)
        let closing = Array("]".utf8)
        var list = try SecretBytes(copying: opening.span)
        for (index, key) in keys.enumerated() {
            var object = try SecretObjectText(capacity: 128)
            try object.add("threadKey", secret: key.bytes)
            if index > 0 { list = try list.appending(try SecretBytes(copying: comma.span)) }
            list = try list.appending(try object.finish())
        }
        var file = try SecretObjectText(capacity: 4_096)
        try file.add(key: Array("threads".utf8), json: try list.appending(try SecretBytes(copying: closing.span)))
        return try file.finish()
    }
}

private struct RelatedThreadKeysWritten: Report {
    let path: FilePath
    let keys: Int
    let isWrapped: Bool
    var notOpened = 0

    func writeText(to stream: TextStream) {
        let how: TerminalText = isWrapped ? "wrapped" : "NOT ENCRYPTED"
        stream.line("Wrote \(count: keys, "thread key") to \(path), \(how), and read it back")
        if notOpened > 0 { stream.line("  \(trusted: "not opened", .yellow)  \(count: notOpened, "wrapped key")") }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("threads", keys)
            json.member("notOpened", notOpened)
        }
    }
}
