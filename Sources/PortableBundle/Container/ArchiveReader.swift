import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// Reads the archive in a bundle: every header, every zero, and nothing that the format does not have.
@safe
struct ArchiveReader: ~Copyable {
    private let context: [UInt8]
    /// Bytes; 0 while the file is still being written.
    private let payloadLength: Int
    private let isSignable: Bool
    private var payload: PayloadReader
    /// Of the archive so far, where there may be a signature of it.
    private var hash = SHA256()
    private var offset: UInt64 = 0
    private var stage = Stage.start
    private var declared: DeclaredEntries?
    /// Bytes of the entry that were not read yet, and zeros behind them.
    private var rest = 0
    private var padding = 0
    private(set) var signature: SignatureEntry?
    /// The entries so far, where nothing was declared.
    private(set) var found: [SXBEntry] = []

    private enum Stage {
        case start, declaring, entries, end
    }

    init(_ layout: consuming BundleFileLayout, fileKey: borrowing FileKey) throws(SXBError) {
        context = layout.content.context
        payloadLength = layout.payload.count
        isSignable = layout.content.kind == .publicKey
        payload = try PayloadReader(layout, fileKey: fileKey)
    }

    /// Reads a payload of a bundle that is being written, on the caller's thread.
    init(following payload: consuming PayloadReader, context: [UInt8], isSignable: Bool) {
        self.context = context
        self.isSignable = isSignable
        self.payload = payload
        payloadLength = 0
    }

    /// Where the payload that was followed ends in the file.
    var followedEnd: Int? { payload.place }

    mutating func manifest() throws(SXBError) -> PlaintextBuffer {
        precondition(stage == .start, "the manifest comes first, once")
        guard let header = try readHeader(), header.entry.name == EntryName.manifest else {
            throw .archive(.manifestNotFirst)
        }
        let size = header.entry.size
        guard size <= SXBFormat.manifestCeiling else {
            throw .archive(.manifestTooLarge(limit: SXBFormat.manifestCeiling, found: size))
        }
        note(header.bytes)
        begin(header.entry)
        var memory: PlaintextMemory
        do throws(OutOfMemory) {
            memory = try PlaintextMemory(capacity: size)
        } catch {
            throw .memory(.exhausted(requested: error.requested))
        }
        try unsafe memory.withUnsafeMutableBytes { (target) throws(SXBError) in
            var filled = 0
            while filled < size {
                let count = try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: target[filled..<size]))
                filled += count
            }
        }
        stage = .declaring
        return memory.freeze(text: 0..<size)
    }

    mutating func allow(_ entries: [SXBEntry]) throws(SXBError) {
        precondition(stage == .declaring, "entries are declared once, after the manifest was read")
        do throws(SXBArchiveFault) {
            declared = try DeclaredEntries(entries, payloadLength: payloadLength)
        } catch {
            throw .archive(error)
        }
        stage = .entries
    }

    /// Takes any entries and keeps them in `found`, for the caller to judge.
    mutating func follow() {
        precondition(stage == .declaring, "entries come after the manifest")
        stage = .entries
    }

    mutating func next() throws(SXBError) -> SXBEntry? {
        if stage == .end { return nil }
        precondition(stage == .entries, "entries come after they were declared")
        try finishEntry()
        while let header = try readHeader() {
            guard signature == nil else { throw .archive(.undeclared(header.entry.name)) }
            if header.entry.name == EntryName.signature, isSignable {
                try readSignature(header)
                continue
            }
            do throws(SXBArchiveFault) {
                try EntryName.check(header.entry.name)
                if declared == nil { found.append(header.entry) } else { try declared?.take(header.entry) }
            } catch {
                throw .archive(error)
            }
            note(header.bytes)
            begin(header.entry)
            return header.entry
        }
        do throws(SXBArchiveFault) { try declared?.end() } catch { throw .archive(error) }
        try checkEnd()
        stage = .end
        return nil
    }

    /// Reads at least one byte of the entry; 0 at its end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        let wanted = min(buffer.count, rest)
        guard wanted > 0 else { return 0 }
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        let count = try unsafe payload.read(into: target)
        guard count > 0 else { throw .archive(.truncated) }
        unsafe note(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[..<count]))
        return count
    }

    private mutating func begin(_ entry: SXBEntry) {
        rest = entry.size
        padding = TarHeader.padding(entry.size)
    }

    /// Passes over what is left of the entry, and sees that zeros fill its last block.
    private mutating func finishEntry() throws(SXBError) {
        while rest > 0 {
            let bytes = try unsafe payload.pass(upTo: rest)
            guard unsafe !bytes.isEmpty else { throw .archive(.truncated) }
            unsafe note(bytes)
        }
        let zeros = try readBytes(padding)
        guard zeros.count == padding else { throw .archive(.truncated) }
        guard zeros.allSatisfy({ $0 == 0 }) else { throw malformed(back: padding) }
        note(zeros)
        padding = 0
    }

    private struct Header {
        let entry: SXBEntry
        /// All its blocks, a pax header included.
        let bytes: [UInt8]
    }

    /// The next header; nil at the first block of the archive's end.
    private mutating func readHeader() throws(SXBError) -> Header? {
        let first = try readBlock()
        guard let fields = TarHeader.Fields(first) else { throw malformed(back: first.count) }
        if fields.isZero { return nil }
        if fields.type == TarHeader.extended {
            guard fields.size <= TarHeader.paxCeiling, TarHeader.isPaxHeader(first, size: fields.size) else {
                throw malformed(back: first.count)
            }
            let blocks = fields.size + TarHeader.padding(fields.size)
            let text = try readBytes(blocks)
            guard text.count == blocks else { throw .archive(.truncated) }
            let second = try readBlock()
            let pax = Array(text[..<fields.size])
            guard text[fields.size...].allSatisfy({ $0 == 0 }), !pax.isEmpty else {
                throw malformed(back: blocks + second.count)
            }
            return Header(entry: try entry(second, pax: pax), bytes: first + text + second)
        }
        return Header(entry: try entry(first, pax: nil), bytes: first)
    }

    private func entry(_ block: [UInt8], pax: [UInt8]?) throws(SXBError) -> SXBEntry {
        if let fields = TarHeader.Fields(block), !fields.isZero, fields.type != TarHeader.regular {
            throw .archive(.notRegular(kind: fields.type, name: fields.name))
        }
        guard let entry = TarHeader.entry(block, pax: pax) else { throw malformed(back: block.count) }
        return entry
    }

    private mutating func readSignature(_ header: Header) throws(SXBError) {
        do throws(SXBArchiveFault) { try declared?.end() } catch { throw .archive(error) }
        guard header.entry.size <= SignatureEntry.ceiling else { throw .signature(.malformed) }
        let text = try readBytes(header.entry.size)
        guard text.count == header.entry.size else { throw .archive(.truncated) }
        padding = TarHeader.padding(header.entry.size)
        let digest = takeDigest()
        do throws(SXBSignatureFault) {
            let signature = try SignatureEntry(parsing: text)
            guard signature.isAuthentic(context: context, digest: digest) else { throw .notAuthentic }
            self.signature = signature
        } catch {
            throw .signature(error)
        }
        try finishEntry()
    }

    private mutating func takeDigest() -> [UInt8] {
        var whole = SHA256()
        swap(&whole, &hash)
        return whole.finish()
    }

    /// One block of zeros was read; one more, and then nothing.
    private mutating func checkEnd() throws(SXBError) {
        let second = try readBlock()
        guard second.allSatisfy({ $0 == 0 }) else { throw malformed(back: second.count) }
        guard try readBytes(1).isEmpty else { throw .archive(.trailingData) }
    }

    private mutating func readBlock() throws(SXBError) -> [UInt8] {
        let block = try readBytes(TarHeader.blockLength)
        guard block.count == TarHeader.blockLength else { throw .archive(.truncated) }
        return block
    }

    /// So many bytes, fewer at the end; for what is small and no secret.
    private mutating func readBytes(_ count: Int) throws(SXBError) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let filled = try unsafe span.withUnsafeMutableBytes { (target) throws(SXBError) in
            try unsafe payload.readFully(into: target)
        }
        offset += UInt64(filled)
        return filled == count ? bytes : Array(bytes[..<filled])
    }

    /// Bytes of the entry were read.
    private mutating func note(_ bytes: UnsafeRawBufferPointer) {
        rest -= bytes.count
        offset += UInt64(bytes.count)
        if isSignable { hash.update(unsafe bytes.bindMemory(to: UInt8.self).span) }
    }

    private mutating func note(_ bytes: [UInt8]) {
        if isSignable { hash.update(bytes.span) }
    }

    private func malformed(back count: Int) -> SXBError {
        .archive(.malformed(offset: offset - UInt64(count)))
    }
}
