import CryptoPrimitives
import JSONCoding
import SophaxCore

/// Writes the text of identity and full exports, private keys included, into wiped memory.
package enum IdentityText {
    /// The four keys of an identity, and a backup in it for a full export.
    ///
    /// - Parameters:
    ///   - exportedAt: a JSON number, seconds since 2001.
    ///   - backup: a SophaxBackup object. Format: SophaxChat 3.2.3, 3.4, 4.1.
    package static func make(
        _ identity: borrowing Identity, exportedAt: String, backup: [UInt8]? = nil
    ) throws(EncodingError) -> SecretBytes {
        var rest = Array(#"","username":"#.utf8)
        JSONText.appendQuoted(Array(identity.username.utf8), to: &rest)
        rest += Array(#","exportedAt":\#(exportedAt)"#.utf8)
        if let backup {
            rest += Array(#","backup":"#.utf8) + backup
        }
        rest.append(UInt8(ascii: "}"))
        let seed = try SecretEncoding.encodeBase64(identity.signingSeed)
        let dhPrivate = try SecretEncoding.encodeBase64(identity.dhPrivate)
        do throws(SecretMemoryError) {
            return try text(#"{"signingKeyPrivate":""#).appending(seed)
                .appending(text(#"","dhKeyPrivate":""#)).appending(dhPrivate)
                .appending(SecretBytes(copying: rest.span))
        } catch {
            throw .memory(error)
        }
    }

    private static func text(_ text: String) throws(SecretMemoryError) -> SecretBytes {
        let bytes = Array(text.utf8)
        return try SecretBytes(copying: bytes.span)
    }
}
