import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("version")
struct VersionTests {
    /// By what libcrypto says of its own version: 3.5 brought both schemes.
    private var isNew: Bool {
        let numbers = LibraryVersions.openssl.split(separator: ".").compactMap { Int($0) }
        return numbers.count >= 2 && (numbers[0], numbers[1]) >= (3, 5)
    }

    @Test("it names whose ML-KEM and ML-DSA are used")
    func postQuantum() throws {
        let text = CommandRun.run(["version"])
        #expect(text.status == .success)
        #expect(text.output.contains(isNew ? "ML-KEM and ML-DSA: libcrypto's\n" : "ML-KEM and ML-DSA: sxkey's own"))
        let run = CommandRun.run(["version", "--json"])
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(json?["postQuantum"] as? String == (isNew ? "libcrypto" : "sxkey"))
    }
}
