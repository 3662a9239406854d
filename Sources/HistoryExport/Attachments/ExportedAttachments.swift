import SophaxFiles
import SystemIO

/// The files that an export has for the attachments of its messages.
package struct ExportedAttachments: Sendable {
    /// What became of an attachment that a chosen message refers to.
    package enum Outcome: Sendable {
        case file(ExportedFile)
        /// The source has no such attachment.
        case missing
        /// The source has it and it cannot be read, or its bytes are not what they should be.
        case damaged
        /// Nobody asked for attachment files.
        case notWritten
    }

    /// By the name of the file in an app's folder: an id without what is no hex digit and no dash.
    private(set) var outcomes: [ByteText: Outcome] = [:]
    /// Files with another content for an id that has a file: two sources of an archive may disagree.
    var others: [(id: ByteText, file: ExportedFile)] = []
    /// Attachment files were asked for.
    package let areWritten: Bool

    package init(areWritten: Bool = false) {
        self.areWritten = areWritten
    }

    /// What became of the attachment with the id that a message has.
    package func outcome(of id: ByteText) -> Outcome {
        outcomes[attachmentFileName(for: id)] ?? (areWritten ? .missing : .notWritten)
    }

    package func file(of id: ByteText) -> ExportedFile? {
        if case .file(let file) = outcome(of: id) { file } else { nil }
    }

    /// All files, in the order of their ids.
    var files: [(id: ByteText, file: ExportedFile)] {
        var files: [(id: ByteText, file: ExportedFile)] = []
        for (id, outcome) in outcomes {
            if case .file(let file) = outcome { files.append((id, file)) }
        }
        files += others
        return files.sorted { ($0.id, $0.file.path.bytes.count) < ($1.id, $1.file.path.bytes.count) }
    }

    mutating func set(_ outcome: Outcome, for id: ByteText) {
        outcomes[attachmentFileName(for: id)] = outcome
    }
}

/// A file that an export wrote for an attachment.
package struct ExportedFile: Hashable, Sendable {
    /// In the export's folder, for example `attachments/photo.jpg`; UTF-8, safe as `FileNameStyle` says.
    package let path: FilePath
    package let bytes: Int
    /// Told by the content. `kind.group` says whether it is a picture, sound or a film; `kind.isActive` that a browser would
    /// run what is in it, so that it must only be offered for download.
    package let kind: AttachmentKind
    /// SHA-256 of the bytes.
    package let sha256: [UInt8]
    /// Unix seconds that the file has as its time: those of the first message with it.
    package let modified: Double?
}
