/// What a bundle shows without a secret. Trailer and checksum fit; that nobody forged them only a secret can tell.
package struct SXBHeader: Equatable, Sendable {
    package let version: Int
    package let kind: SXBKind
    /// 32 bytes that name the content: they stay when recipients change.
    package let bundleID: [UInt8]
    package let recipients: [SXBRecipientForm]
    /// Bytes of the file.
    package let fileLength: Int
    /// Where the payload is in the file.
    package let payload: Range<Int>
}
