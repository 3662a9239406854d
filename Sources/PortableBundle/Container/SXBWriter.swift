import CryptoPrimitives
import SophaxCore
import SystemIO

/// Writes a new bundle: first `manifest.json`, then the other entries in the order of the manifest, each in pieces.
///
/// The file appears whole, proven by reading it back while it is written, or not at all. The first error sticks.
package struct SXBWriter: ~Copyable {
    /// What was written.
    package struct Summary: Equatable, Sendable {
        /// Bytes of the file.
        package let fileLength: Int
        /// Entries, the manifest and the signature included.
        package let entries: Int
        /// Bytes of all entries.
        package let contentBytes: UInt64
        /// 32 bytes that name the content.
        package let bundleID: [UInt8]
    }

    private let fileKey: FileKey
    private let header: HeaderContent
    private let recipients: [[UInt8]]
    private let signer: IdentityPublicKeys?
    private let modified: Int64
    private var payload: PayloadWriter
    private var proof: BundleProof?
    private var hash = SHA256()
    private var names = EntryNameTable()
    private var entries: [SXBEntry] = []
    /// Bytes that the entry still lacks.
    private var rest = 0
    private var failure: SXBError?

    /// Begins a bundle for `recipients`, which are all passphrases or all keys.
    ///
    /// - Parameters:
    ///   - signer: whose signature `finish(signing:)` will give; nil for none. A bundle for passphrases has none.
    ///   - modified: Unix seconds that entries carry.
    ///   - verifying: whether the whole file is read back before it gets its name.
    package init(
        creatingAt path: FilePath, replacing: Bool = false, notSameAs inputs: [FileIdentity] = [],
        recipients: [SXBRecipient], signer: IdentityPublicKeys? = nil, modified: Int64 = 0, verifying: Bool = true
    ) throws(SXBError) {
        let list = try RecipientList(recipients)
        precondition(signer == nil || list.kind == .publicKey, "a bundle for passphrases is not signed")
        let output: OutputFile
        do throws(FileError) {
            output = try OutputFile(creatingAt: path, replacing: replacing, notSameAs: inputs)
        } catch {
            throw .file(error)
        }
        let fileKey = try FileKey()
        let header = try list.header(bundleID: Random.bytes(SXBFormat.bundleIDLength), fileKey: fileKey)
        let beginning = try header.beginning(fileKey)
        let followed = FollowedLength()
        let payload = try PayloadWriter(
            output: output, beginning: beginning, fileKey: fileKey, context: header.context, followed: followed)
        var proof: BundleProof?
        if verifying {
            proof = try BundleProof(
                of: payload.reopen(), from: beginning.count, following: followed, fileKey: fileKey, header)
        }
        self.payload = payload
        self.proof = proof
        self.fileKey = fileKey
        self.header = header
        self.signer = signer
        self.modified = modified
        self.recipients = list.sortedKeys
    }

    /// Begins the next entry; the one before must have all its bytes. Errors: `.archive`, and those of `write`.
    package mutating func add(_ name: [UInt8], size: Int) throws(SXBError) {
        try sticking { (writer) throws(SXBError) in
            try writer.endEntry()
            guard !writer.entries.isEmpty || name == EntryName.manifest else { throw .archive(.manifestNotFirst) }
            let limit = writer.entries.isEmpty ? SXBFormat.manifestCeiling : SXBFormat.entrySizeCeiling
            guard (0...limit).contains(size) else {
                throw .archive(.tooLarge(limit: limit, found: UInt64(bitPattern: Int64(size))))
            }
            guard writer.entries.count <= SXBFormat.entryLimit else {
                throw .archive(.tooManyEntries(limit: SXBFormat.entryLimit, found: writer.entries.count))
            }
            do throws(SXBArchiveFault) {
                try EntryName.check(name)
                guard name != EntryName.signature else { throw .name(name) }
                try writer.names.add(name)
            } catch {
                throw .archive(error)
            }
            try writer.begin(SXBEntry(name, size: size, modified: writer.modified))
        }
    }

    /// The next bytes of the entry. Errors: `.archive(.written)` when they are too many; those of the file.
    package mutating func write(_ bytes: Span<UInt8>) throws(SXBError) {
        if let failure { throw failure }
        do throws(SXBError) {
            guard bytes.count <= rest else {
                let size = entries.last?.size ?? 0
                throw .archive(.written(declared: size, found: size - rest + bytes.count))
            }
            rest -= bytes.count
            try put(bytes)
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends a bundle that nobody signs, proves it, and gives the file its name.
    package consuming func finish() throws(SXBError) -> Summary {
        precondition(signer == nil, "a signer was announced")
        return try finish { (_) throws(SigningError) in [] }
    }

    /// Ends a bundle that `signer` of `init` signs: `sign` gives the Ed25519 signature of the bytes it is handed.
    package consuming func finish(
        signing sign: (Span<UInt8>) throws(SigningError) -> [UInt8]
    ) throws(SXBError) -> Summary {
        if let failure { throw failure }
        guard !entries.isEmpty else { throw .archive(.manifestNotFirst) }
        try endEntry()
        let declared = Array(entries.dropFirst())
        let signature = try addSignature(sign)
        let end = [UInt8](repeating: 0, count: TarHeader.endLength)
        try payload.write(end.span)
        let contentBytes = entries.reduce(UInt64(0)) { $0 + UInt64($1.size) }
        var written = try payload.finish()
        try proof?.check(&written, fileKey, header, declared, signature)
        let summary = Summary(
            fileLength: written.length, entries: entries.count, contentBytes: contentBytes, bundleID: header.bundleID)
        try written.commit()
        return summary
    }

    private mutating func begin(_ entry: SXBEntry) throws(SXBError) {
        let header = TarHeader.bytes(entry)
        try put(header.span)
        entries.append(entry)
        rest = entry.size
    }

    private mutating func endEntry() throws(SXBError) {
        guard let last = entries.last else { return }
        guard rest == 0 else {
            throw .archive(.written(declared: last.size, found: last.size - rest))
        }
        let zeros = [UInt8](repeating: 0, count: TarHeader.padding(last.size))
        try put(zeros.span)
    }

    private mutating func put(_ bytes: Span<UInt8>) throws(SXBError) {
        if let isFailed = proof?.hasFailed, isFailed { try proof?.wait() }
        if signer != nil { hash.update(bytes) }
        try payload.write(bytes)
    }

    private mutating func addSignature(
        _ sign: (Span<UInt8>) throws(SigningError) -> [UInt8]
    ) throws(SXBError) -> SignatureEntry? {
        guard let signer else { return nil }
        var whole = SHA256()
        swap(&whole, &hash)
        let message = SignatureEntry.message(
            context: header.context, digest: whole.finish(), signer: signer, recipients: recipients)
        let signature: SignatureEntry
        do throws(SigningError) {
            signature = SignatureEntry(signer: signer, recipients: recipients, signature: try sign(message.span))
        } catch {
            throw .signing(error)
        }
        guard Ed25519.isValid(signature: signature.signature.span, for: message.span, publicKey: signer.signing.span)
        else { throw .signature(.notAuthentic) }
        let text = signature.text
        try begin(SXBEntry(EntryName.signature, size: text.count, modified: modified))
        try put(text.span)
        rest = 0
        try endEntry()
        return signature
    }

    private mutating func sticking(_ body: (inout SXBWriter) throws(SXBError) -> Void) throws(SXBError) {
        if let failure { throw failure }
        do throws(SXBError) {
            try body(&self)
        } catch {
            failure = error
            throw error
        }
    }
}
