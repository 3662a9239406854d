import SystemIO

/// Why an OpenPGP message does not open.
package enum OpenPGPError: Error, Equatable, Sendable {
    /// gpg is in none of the usual places.
    case notInstalled
    case cannotStart(code: Int32)
    /// gpg has no private key for it, or it is damaged.
    case notDecrypted
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
        "--no-auto-key-locate", "--skip-verify", "--max-output",
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
    package func decrypt(_ message: [UInt8]) throws(OpenPGPError) -> [UInt8] {
        do throws(HelperProcess.Failure) {
            let process = try HelperProcess(
                starting: path, arguments: Self.arguments.map { Array($0.utf8) }, environment: environment)
            return try process.answer(
                to: message.span, limit: RelatedLimits.openPGPText, milliseconds: Self.patienceSeconds * 1_000)
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
    }
}
