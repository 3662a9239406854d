import CommandKit
import Keyring
import SystemIO

/// Why an identity was not made, taken in, written or removed.
package enum IdentityFailure: Error {
    /// Nothing is left of the name after trimming, or it has more than 64 characters.
    case badName([UInt8])
}

extension CommandError {
    static func identity(_ failure: IdentityFailure) -> ErrorMessage {
        switch failure {
        case .badName(let name):
            return Self.error(
                .usage, "bad-name", "\(quoted: name) cannot be a name",
                ["a name has 1 to \(IdentityName.maximumCharacters) characters; spaces at both ends do not count"])
        }
    }
}
