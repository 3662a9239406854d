import CommandKit
import QRCodes
import SystemIO

/// How a QR code is shown, and where it goes.
struct CodeOutput: Sendable {
    enum Format: String, CaseIterable, Sendable {
        /// Half blocks, on the terminal.
        case terminal
        case svg
        case png
    }

    static let out = OptionSpecification.value(
        "out", short: "o", "PATH", .file, "the file to write; \"-\" is standard output")
    static let force = OptionSpecification.flag("force", short: "f", "overwrite an existing file")
    static let ground = OptionSpecification.value(
        "ground", "COLOUR", .choice(["dark", "light"]),
        "the terminal's background, for a QR code in it (default: dark)")
    static let options = [out, force, ground]

    let out: FilePath?
    private let replacing: Bool
    private let ground: QRCode.TerminalGround

    init(_ arguments: ParsedArguments) {
        out = arguments.path("out")
        replacing = arguments.flag("force")
        ground = arguments.choice("ground") == "light" ? .light : .dark
    }

    /// Whether these options go together with what is shown.
    func check(_ format: Format?, isJSON: Bool) throws(UsageError) {
        switch format {
        case .terminal, nil:
            if out != nil { throw .other("--out is for SVG and PNG; a shell redirects text") }
        case .png where out == nil: throw .other("a PNG needs --out", hint: "--out - writes it to standard output")
        case .svg, .png:
            if isJSON, out == nil || out == "-" { throw .other("with --json the picture needs --out FILE") }
        }
    }

    /// Makes the code and writes it. The helper, which makes PNG files, was started before any key was opened.
    func write(
        _ text: String, _ correction: QRCode.ErrorCorrection, as format: Format, title: String,
        helper: consuming ImageHelper?, inputs: [FileIdentity], _ context: Context
    ) throws(CommandError) {
        let code: QRCode
        do throws(QRCodeError) {
            code = try QRCode(Array(text.utf8), correction: correction)
        } catch {
            throw .code(error)
        }
        let bytes: [UInt8]
        switch format {
        case .terminal:
            if !context.console.options.json {
                context.console.output.write(bytes: Array(code.terminalText(ground: ground).utf8))
            }
            return
        case .svg: bytes = Array(code.svg(title: title).utf8)
        case .png:
            guard let helper = consume helper else { return }
            bytes = try helper.png(of: code)
        }
        var target = try ExportTarget((out ?? "-", replacing), inputs: inputs, context.console)
        try target.write(bytes)
        try target.commit()
    }

    /// The helper, when it is needed.
    static func helper(for format: Format?) throws(CommandError) -> ImageHelper? {
        guard format == .png else { return nil }
        return try ImageHelper.start()
    }
}

extension CommandError {
    static func code(_ failure: QRCodeError) -> ErrorMessage {
        switch failure {
        case .empty: error(.failure, nil, "there is nothing to make a QR code of")
        case .tooLong(let found, let limit):
            error(.failure, "too-long", "\(found) bytes are more than the \(limit) that a QR code holds")
        case .outOfMemory: error(.failure, "no-memory", "no memory for the QR code")
        }
    }
}
