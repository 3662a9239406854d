import CryptoPrimitives
import Foundation
import TestSupport

@testable import SophaxCore

/// Reads the fixtures that the app's own code wrote: `fixtures/march` of the shared folder.
enum MarchFixtures {
    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: SharedFolder.file("fixtures/march/\(name)"))))
    }

    static func object(_ name: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(bytes(name)))
        return value as? [String: Any] ?? [:]
    }

    static func expected() throws -> [String: Any] { try object("expected.json") }

    /// The value of an item of a keychain dump.
    static func item(_ account: String, in keychain: String) throws -> [UInt8]? {
        (try object("\(keychain).json")[account] as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }

    static func identity(_ keychain: String) throws -> Identity {
        let seed = try item("identity.signing", in: keychain) ?? []
        let dh = try item("identity.dh", in: keychain) ?? []
        return try Identity(
            signingSeed: SecretBytes(copying: seed.span), dhPrivate: SecretBytes(copying: dh.span), username: keychain)
    }
}
