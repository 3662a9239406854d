import CommandKit
import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Which sxkey this is.
package enum Version {
    package static let number = "0.1.0"
    /// Day of the release, for the man pages.
    package static let date = "2026-11-30"
}

/// The version with those of the libraries.
struct VersionReport: Report {
    private var libraries: [(name: String, version: String)] {
        [
            ("libcrypto", LibraryVersions.openssl), ("libsodium", LibraryVersions.sodium),
            ("libargon2", LibraryVersions.argon2), ("libutf8proc", LibraryVersions.utf8proc),
            ("libsimdjson", JSONLibrary.version),
        ]
    }

    func writeText(to stream: TextStream) {
        stream.line("sxkey \(trusted: Version.number)")
        let versions = libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        stream.line("\(trusted: versions) (JSON: \(trusted: JSONLibrary.implementation))")
        let isLibcrypto = PostQuantumProvider.current.isLibcrypto
        let owner = isLibcrypto ? "libcrypto's" : "sxkey's own, as this libcrypto has none"
        stream.line("ML-KEM and ML-DSA: \(trusted: owner)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", Program.name)
            json.member("version", Version.number)
            json.member("libraries") { json in
                json.object { json in
                    for library in libraries { json.member(library.name, library.version) }
                }
            }
            json.member("jsonImplementation", JSONLibrary.implementation)
            json.member("postQuantum", PostQuantumProvider.current.isLibcrypto ? "libcrypto" : "sxkey")
        }
    }
}

/// `sxkey version`
struct VersionCommand: Command {
    static let specification = CommandSpecification(
        noun: "version",
        summary: "show the version of sxkey and of the libraries it uses",
        examples: [
            Example("sxkey version", "show the versions"),
            Example("sxkey version --json", "the same for a script"),
        ],
        exitStatuses: [StatusNote(.success)]
    )

    init(_ arguments: ParsedArguments) {}

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        context.console.present(VersionReport())
        return .success
    }
}
