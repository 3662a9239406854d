import CryptoPrimitives
import SystemIO

/// Gives a bundle other recipients; the payload stays as it is, byte for byte.
///
/// Whoever could open the bundle before can still open an earlier copy of it, and one who kept the file key also the new
/// one: to shut somebody out of later content, make a new bundle.
package struct SXBRewrap: Sendable {
    package let input: FilePath
    package let secrets: [SXBSecret]
    package let recipients: [SXBRecipient]

    private static let pieceLength = 1 << 20

    package init(_ input: FilePath, secrets: [SXBSecret], recipients: [SXBRecipient]) {
        self.input = input
        self.secrets = secrets
        self.recipients = recipients
    }

    /// Writes the changed bundle to `output`, which may be the input when `replacing`. Gives its header.
    ///
    /// With `verifying`, the new file is opened and its payload read whole before it gets its name.
    package func write(
        to output: FilePath, replacing: Bool, verifying: Bool = true
    ) throws(SXBError) -> SXBHeader {
        let former = try BundleFileLayout(opening: input)
        let found = try former.unlock(secrets)
        let list = try RecipientList(recipients, former: former.content)
        let content = try list.header(replacing: former.content, fileKey: found.key)
        let beginning = try content.beginning(found.key)
        let length = beginning.count + former.payload.count + SXBFormat.trailerLength
        var written: WrittenFile
        do throws(FileError) {
            var file = try OutputFile(creatingAt: output, replacing: replacing)
            try file.write(beginning)
            try copy(former.input, former.payload, to: &file)
            try file.write(BundleTrailer.bytes(fileLength: length))
            written = WrittenFile(output: file, length: length)
        } catch {
            throw .file(error)
        }
        let layout = try BundleFileLayout(try written.reopen())
        guard layout.content == content, layout.length == length else { throw .notProven }
        try layout.checkCode(found.key)
        let header = layout.header
        if verifying { try Self.readWhole(layout, found.key) }
        try written.commit()
        return header
    }

    private func copy(
        _ source: borrowing InputFile, _ range: Range<Int>, to file: inout OutputFile
    ) throws(FileError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try source.read(upTo: min(Self.pieceLength, range.upperBound - offset), at: offset)
            guard !piece.isEmpty else { break }
            try file.write(piece)
            offset += piece.count
        }
    }

    private static func readWhole(_ layout: consuming BundleFileLayout, _ key: borrowing FileKey) throws(SXBError) {
        let scratch = try PieceMemory(pieces: 1, length: pieceLength)
        var payload = try PayloadReader(layout, fileKey: key)
        while try unsafe payload.read(into: scratch.piece(0)) > 0 {}
    }
}
