import CommandKit
import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// `sxkey related vectors`
struct RelatedVectors: Command {
    static let specification = CommandSpecification(
        noun: "related", verb: "vectors",
        summary: "make a file of test vectors in the shape that lchat's own tests use",
        discussion: [
            "The file has a private key as PKCS#8 in PEM and as 32 raw bytes, its public key, and threads: each with a key, the key "
                + "wrapped for the private one, a text, and the text sealed under the thread's key. All keys are new and for tests only, "
                + "unless --related-key brings one private key of lchat, which takes --reveal; the file is not encrypted."
        ],
        operands: [],
        options: [
            .value(
                "text", "TEXT", .text, "the text of a thread; may be repeated (default: three short ones)",
                isRepeatable: true), RelatedKeySource.key,
            .flag("reveal", "write the private key of --related-key without encryption"),
        ] + GroupKeyTarget.options,
        examples: [Example("sxkey related vectors --out vectors.json", "three threads under a new key")],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "a key file gives no key"), StatusNote(.wouldOverwrite),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let texts: [[UInt8]]
    private let source: RelatedKeySource
    private let target: GroupKeyTarget

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let given: [[UInt8]] = arguments.values("text")
        texts = given.isEmpty ? (0..<3).map { Array("thread text \($0) ✉️".utf8) } : given
        if texts.count > LChatVectors.maximumThreads {
            throw .other("a file of test vectors has at most \(LChatVectors.maximumThreads) threads")
        }
        source = try RelatedKeySource(keysOf: arguments)
        target = try GroupKeyTarget(arguments)
        if texts.contains(where: { JSONText.firstInvalidUTF8($0.span) != nil }) {
            throw .other("a text of test vectors is UTF-8, and one of these is not")
        }
        if source.isGiven != arguments.flag("reveal") {
            throw source.isGiven
                ? .other(
                    "the private key of --related-key is written without encryption",
                    hint: "say --reveal if that is what you want, and keep the file where nobody else gets at it")
                : .other("--reveal is about the private key of --related-key, and there is none")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let file = try target.checked(notSameAs: source.inputs)
        let keys = try source.read(nil, context).keys
        let fitting = keys.filter { $0.kind == .privateKey } + keys.filter { $0.kind == .any }
        guard !source.isGiven || fitting.count == 1 else { throw .related(.privateKeys(fitting.count)) }
        let given = fitting.first?.secret
        let text: SecretBytes
        do throws(RelatedFailure) {
            text = try LChatVectors.make(texts: texts, privateKey: given)
        } catch {
            throw .related(.vectors(error))
        }
        try file.write(text)
        try file.commit()
        context.console.present(RelatedVectorsWritten(path: file.path, threads: texts.count))
        return .success
    }
}

private struct RelatedVectorsWritten: Report {
    let path: FilePath
    let threads: Int

    func writeText(to stream: TextStream) {
        stream.line("Wrote \(count: threads, "thread") of test vectors to \(path), NOT ENCRYPTED, and read it back")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("threads", threads)
        }
    }
}
