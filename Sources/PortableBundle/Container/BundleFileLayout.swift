import CryptoPrimitives
import SystemIO

/// A bundle file whose trailer and checksum fit, and where its parts are. Nothing of it is known to be authentic.
struct BundleFileLayout: ~Copyable {
    let input: InputFile
    let length: Int
    let content: HeaderContent
    /// Bytes before the payload: start, header, code, digest.
    let beginning: [UInt8]
    /// The payload in the file.
    let payload: Range<Int>

    /// Bytes that the header's code is of.
    private var codedLength: Int { beginning.count - SXBFormat.codeLength - SXBFormat.digestLength }

    init(opening path: FilePath) throws(SXBError) {
        let input: InputFile
        do throws(FileError) { input = try InputFile(opening: path) } catch { throw .file(error) }
        try self.init(input)
    }

    /// Looks at magic, version, trailer, length of the header, checksum, and header, in this order.
    init(_ input: consuming InputFile) throws(SXBError) {
        guard let length = input.size else { throw .notRegular }
        let start = try Self.read(SXBFormat.startLength, of: input, at: 0)
        try Self.checkStart(start, length: length)
        try BundleTrailer.check(input, length: length)
        let headerLength = Int(BigEndian.number(start[5...]))
        let payloadStart = SXBFormat.startLength + headerLength + SXBFormat.codeLength + SXBFormat.digestLength
        guard headerLength <= SXBFormat.headerCeiling, payloadStart <= length - SXBFormat.trailerLength else {
            throw .headerDamaged
        }
        let beginning = try Self.read(payloadStart, of: input, at: 0)
        let digest = SHA256.hash(beginning.span.extracting(droppingLast: SXBFormat.digestLength))
        guard beginning.count == payloadStart, beginning.suffix(SXBFormat.digestLength).elementsEqual(digest) else {
            throw .headerDamaged
        }
        let content = try HeaderContent(
            parsing: Array(beginning[SXBFormat.startLength..<(SXBFormat.startLength + headerLength)]))
        let payload = payloadStart..<(length - SXBFormat.trailerLength)
        guard ChunkedEncryption.textLength(ofSealed: payload.count) != nil else {
            throw .payloadLength(payload.count)
        }
        self.content = content
        self.length = length
        self.beginning = beginning
        self.payload = payload
        self.input = input
    }

    /// The file, for whoever needs nothing else any more.
    consuming func takeInput() -> InputFile { input }

    var header: SXBHeader {
        SXBHeader(
            version: SXBFormat.version, kind: content.kind, bundleID: content.bundleID,
            recipients: content.stanzas.map(\.form), fileLength: length, payload: payload)
    }

    /// The file key, from the first secret that opens it, and of which recipient.
    ///
    /// Errors: `.wrongSecretKind`, `.wrongPassphrase`, `.noMatchingRecipient`, `.headerChanged`.
    func unlock(_ secrets: [SXBSecret]) throws(SXBError) -> UnlockedKey {
        let context = content.context
        guard secrets.contains(where: { $0.kind == content.kind }) else {
            throw .wrongSecretKind(needed: content.kind)
        }
        for (number, secret) in secrets.enumerated() {
            for (recipient, stanza) in content.stanzas.enumerated() {
                guard let key = try stanza.unwrap(with: secret, context: context) else { continue }
                try checkCode(key)
                return UnlockedKey(key: key, secret: number, recipient: recipient)
            }
        }
        throw content.kind == .passphrase ? .wrongPassphrase : .noMatchingRecipient
    }

    /// Error: `.headerChanged` when the header was not written by somebody who had the file key.
    func checkCode(_ key: borrowing FileKey) throws(SXBError) {
        let text = beginning.span.extracting(first: codedLength)
        let code = beginning.span.extracting(codedLength..<(codedLength + SXBFormat.codeLength))
        guard try key.isHeaderCode(code, of: text) else { throw .headerChanged }
    }

    static func read(_ count: Int, of input: borrowing InputFile, at offset: Int) throws(SXBError) -> [UInt8] {
        do throws(FileError) { return try input.read(upTo: count, at: offset) } catch { throw .file(error) }
    }

    private static func checkStart(_ start: [UInt8], length: Int) throws(SXBError) {
        let known = min(start.count, SXBFormat.magic.count)
        guard known > 0, start.prefix(known).elementsEqual(SXBFormat.magic.prefix(known)) else { throw .notSXB }
        guard start.count > SXBFormat.magic.count else { throw .truncated(expected: nil, found: length) }
        let version = Int(start[SXBFormat.magic.count])
        guard version <= SXBFormat.version else {
            throw .newerVersion(found: version, known: SXBFormat.version)
        }
        // There never was a version 0: the byte is damaged.
        guard version == SXBFormat.version else { throw .headerDamaged }
        guard start.count == SXBFormat.startLength else { throw .truncated(expected: nil, found: length) }
    }
}

/// The file key, and which secret and which recipient of the header gave it.
struct UnlockedKey: ~Copyable {
    let key: FileKey
    let secret: Int
    let recipient: Int
}
