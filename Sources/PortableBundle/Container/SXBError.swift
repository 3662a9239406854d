import CryptoPrimitives
import SystemIO

/// Why an SXB bundle could not be read or written; one case a cause, so that each gets its own next step.
package enum SXBError: Error, Equatable, Sendable {
    // MARK: the file

    case file(FileError)
    /// A pipe or device: the end of a bundle is looked at before the rest.
    case notRegular
    /// It does not begin as a bundle.
    case notSXB
    /// Made by a later version; nothing else of it was looked at.
    case newerVersion(found: Int, known: Int)
    /// The end is missing. `expected` is the length that the trailer says, nil when there is no trailer.
    case truncated(expected: UInt64?, found: Int)
    /// Bytes behind the trailer; `expected` is the length of the bundle.
    case trailingData(expected: Int, found: Int)
    /// The last 16 bytes are neither a trailer nor cut off.
    case trailerDamaged

    // MARK: the header

    /// The header's length or its checksum does not fit: an accident, or a clumsy change.
    case headerDamaged
    /// The checksum fits, and yet it is not a header of this version.
    case headerMalformed(SXBHeaderFault)
    /// A secret opens the bundle, and the header is not the one that was written with it: somebody changed it.
    case headerChanged
    /// What deriving from passphrase number `recipient` would cost is out of bounds.
    case cost(recipient: Int, Argon2Error)
    /// Memory times passes of all passphrases together, in KiB.
    case totalCost(maximumKiB: UInt64, foundKiB: UInt64)

    // MARK: secrets

    /// No passphrase that was given opens it.
    case wrongPassphrase
    /// It is not for any of the keys that were given.
    case noMatchingRecipient
    /// Only passphrases, or only keys, open it, and only the other kind was given.
    case wrongSecretKind(needed: SXBKind)
    /// The text of a passphrase cannot be normalized.
    case passphraseText(UnicodeError)
    case passphraseDerivation(Argon2Error)
    case keyLength(expected: Int, found: Int)
    /// A public key with which no secret can be shared.
    case unusablePublicKey(index: Int)
    /// No recipients, more than there may be, or passphrases beside keys.
    case recipients(SXBRecipientFault)

    // MARK: the payload

    /// No whole number of chunks and a short one has this length.
    case payloadLength(Int)
    /// The payload is not the one that belongs to this header.
    case payloadForeign
    /// Chunk number `index`, from 0, which begins at byte `offset` of the file, is not authentic.
    case chunkDamaged(index: Int, offset: Int)
    /// The chunks are authentic, and the compressed text in them is not what the format has.
    case compression(SXBCompressionFault)
    /// The archive inside is not what the format has.
    case archive(SXBArchiveFault)
    /// The signature inside is not one of this bundle's content.
    case signature(SXBSignatureFault)

    // MARK: this program

    /// A new bundle that was read back is not what was written.
    case notProven
    case memory(SecretMemoryError)
    case thread(code: Int32)
    case library(String)
    case signing(SigningError)
}

/// Who may open a bundle: those who know a passphrase, or the owners of keys.
package enum SXBKind: String, Sendable, CaseIterable {
    case passphrase
    case publicKey = "public-key"
}

/// Why a header with a right checksum is none of this version.
package enum SXBHeaderFault: Error, Equatable, Sendable {
    /// Not the one spelling of a JSON object that the format allows, at this byte of the header.
    case text(offset: Int)
    case repeatedKey(offset: Int)
    /// A key is missing, unknown, or has a value that it cannot have.
    case key(String)
    case noRecipients
    case tooManyRecipients(limit: Int, found: Int)
    /// A recipient of the other kind than the bundle's.
    case mixedRecipients
}

/// Why recipients were refused.
package enum SXBRecipientFault: Error, Equatable, Sendable {
    case none
    case tooMany(limit: Int, found: Int)
    case mixed
    /// Recipients may be changed, and the kind of a bundle may not: what it is trusted for depends on it.
    case otherKind(SXBKind)
    /// The header would be longer than it may be.
    case headerLength(limit: Int, found: Int)
    /// There is no such recipient to keep.
    case notThere(Int)
    /// The same recipient twice.
    case repeated(Int)
}

/// Why a payload is not compressed as the format says.
package enum SXBCompressionFault: Error, Equatable, Sendable {
    /// A frame begins with other bytes: a skippable frame, an old format, or something else.
    case notAFrame
    /// The frame wants a larger window than 2^23 bytes.
    case window
    /// The frame wants a dictionary.
    case dictionary
    /// A frame without content.
    case emptyFrame
    /// The checksum of a frame does not fit.
    case checksum
    /// The payload ends inside of a frame.
    case unfinished
    /// libzstd does not understand it.
    case malformed
}

/// Why the archive inside is refused.
package enum SXBArchiveFault: Error, Equatable, Sendable {
    /// The first entry is another one.
    case manifestNotFirst
    case manifestTooLarge(limit: Int, found: Int)
    case tooManyEntries(limit: Int, found: Int)
    /// The entries are together larger than a payload of this length may become.
    case tooLarge(limit: Int, found: UInt64)
    /// A name that may not be: empty, absolute, with `..`, not UTF-8, with control characters, too long.
    case name([UInt8])
    /// Two names that some file systems take for one.
    case collision([UInt8], [UInt8])
    /// A link, a folder, a device or anything else that is no regular file; the letter of its kind.
    case notRegular(kind: UInt8, name: [UInt8])
    /// Not in the manifest.
    case undeclared([UInt8])
    /// In the manifest, and not here: out of order, or a second time.
    case misplaced([UInt8])
    /// In the manifest, and the archive ends before it.
    case missing([UInt8])
    case size(name: [UInt8], declared: Int, found: Int)
    /// A header that this format does not have, at this byte of the archive.
    case malformed(offset: UInt64)
    /// Something behind the end of the archive.
    case trailingData
    /// The end of the archive is missing.
    case truncated
    /// The writer was given more or fewer bytes than the entry's size.
    case written(declared: Int, found: Int)
}

/// Why a signature inside is not one.
package enum SXBSignatureFault: Error, Equatable, Sendable {
    case malformed
    /// It is not by the key that it names, or not of this content.
    case notAuthentic
}
