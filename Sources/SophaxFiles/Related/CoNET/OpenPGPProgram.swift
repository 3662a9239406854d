import SystemIO

/// Why an OpenPGP message does not open.
package enum OpenPGPError: Error, Equatable, Sendable {
    /// gpg is in none of the usual places.
    case notInstalled
    case cannotStart(code: Int32)
    /// gpg has no private key for it, or it is damaged.
    case notDecrypted
    /// Nothing in it is encrypted: anybody can have written it.
    case notEncrypted
    /// What comes out is more than a message has.
    case tooLarge(limit: Int)
    case tookTooLong(seconds: Int)
    case died(signal: Int32)
    case connection(code: Int32)
}

/// GnuPG, which opens the OpenPGP messages of CoNET with the private keys that it has itself.
///
/// It is started with fixed arguments and no shell: the message goes to its standard input, the text comes from its standard
/// output, and neither touches a disk. It reads no options of the user's and does not go onto a network. A passphrase is asked
/// for by its own agent.
package struct OpenPGPProgram: Sendable {
    private let path: FilePath
    private let environment: [[UInt8]]

    /// Looked for in this order, and nowhere else.
    package static let places: [FilePath] = ["/usr/bin/gpg", "/usr/local/bin/gpg", "/bin/gpg"]
    package static let patienceSeconds = 120

    /// What the program needs of the environment to find its keys and its agent, and the agent its user.
    static let variables = [
        "HOME", "GNUPGHOME", "GPG_TTY", "TERM", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
        "DBUS_SESSION_BUS_ADDRESS",
    ]

    static let arguments: [String] = [
        "--no-options", "--batch", "--no-tty", "--quiet", "--disable-dirmngr", "--no-auto-key-retrieve",
        "--no-auto-key-locate", "--skip-verify", "--status-fd", "3", "--max-output",
        // Above what is read, so that too much is told from what does not decrypt.
        String(RelatedLimits.openPGPText + (1 << 20)), "--output", "-", "--decrypt",
    ]

    /// The program where it is installed.
    package static func find(lookingIn places: [FilePath] = Self.places) throws(OpenPGPError) -> OpenPGPProgram {
        guard let path = places.first(where: { (try? fileStatus(at: $0))?.kind == .regular }) else {
            throw .notInstalled
        }
        var environment = [Array("PATH=/usr/bin:/bin".utf8), Array("LC_ALL=C.UTF-8".utf8)]
        for name in variables {
            guard let value = ProcessSettings.environment(name), !value.contains(0) else { continue }
            environment.append(Array("\(name)=".utf8) + value)
        }
        return OpenPGPProgram(path: path, environment: environment)
    }

    /// The text of an armoured message. Signatures inside are not judged.
    ///
    /// gpg writes text before it knows whether it is whole, so its status lines must say that it was decrypted and proven.
    package func decrypt(_ message: [UInt8]) throws(OpenPGPError) -> [UInt8] {
        let answer: [UInt8]
        let status: OpenPGPStatus
        do throws(HelperProcess.Failure) {
            let process = try HelperProcess(
                starting: path, arguments: Self.arguments.map { Array($0.utf8) }, environment: environment,
                reports: true)
            let (text, report) = try process.answerWithReport(
                to: message.span, limit: RelatedLimits.openPGPText, milliseconds: Self.patienceSeconds * 1_000)
            status = OpenPGPStatus(report)
            answer = text
        } catch {
            switch error {
            case .cannotStart(let code): throw .cannotStart(code: code)
            case .tookTooLong: throw .tookTooLong(seconds: Self.patienceSeconds)
            case .killed(let signal): throw .died(signal: signal)
            case .failed: throw .notDecrypted
            case .answerTooLarge(let limit): throw .tooLarge(limit: limit)
            case .connection(let code): throw .connection(code: code)
            }
        }
        guard status.isEncrypted else { throw .notEncrypted }
        guard status.isProven else { throw .notDecrypted }
        return answer
    }
}

/// What gpg says of a message on its status descriptor (GnuPG, doc/DETAILS).
struct OpenPGPStatus {
    /// All text that came out was inside of something encrypted.
    private(set) var isEncrypted = false
    /// It was decrypted, and nobody changed it on the way.
    private(set) var isProven = false

    init(_ report: [UInt8]) {
        var isInside = false
        var texts = 0
        var outside = false
        var isDecrypted = false
        var isWhole = false
        for line in report.split(separator: 0x0A) {
            let words = line.split(separator: 0x20)
            guard words.count >= 2, words[0].elementsEqual("[GNUPG:]".utf8) else { continue }
            switch String(decoding: words[1], as: UTF8.self) {
            case "BEGIN_DECRYPTION":
                isInside = true
                isEncrypted = true
            case "END_DECRYPTION": isInside = false
            case "PLAINTEXT":
                texts += 1
                if !isInside { outside = true }
            case "DECRYPTION_OKAY": isDecrypted = true
            case "GOODMDC": isWhole = true
            // mdc_method, sym_algo, aead_algo: the last one is 0 where there is none.
            case "DECRYPTION_INFO": if words.count >= 5, !words[4].elementsEqual("0".utf8) { isWhole = true }
            case "DECRYPTION_FAILED", "BADMDC": isDecrypted = false
            default: break
            }
        }
        if outside { isEncrypted = false }
        isProven = isDecrypted && isWhole && texts == 1
    }
}
