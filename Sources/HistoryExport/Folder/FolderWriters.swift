import History
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// Writes one text into a file of an export's folder.
package final class FolderTextWriter<Format: MessageFormat>: HistoryWriter {
    private let folder: ExportFolder
    private let name: FilePath
    private let text: TextWriter<Format>

    package init(_ format: Format, as name: FilePath, in folder: ExportFolder, isThreaded: Bool) {
        self.folder = folder
        self.name = name
        text = TextWriter(format, isThreaded: isThreaded) { (bytes) throws(ExportError) in
            do throws(FileError) { try folder.write(bytes.span) } catch { throw .file(error) }
        }
    }

    package var needs: ExportNeeds { text.needs }

    package func begin(_ overview: ExportOverview) throws(ExportError) {
        do throws(FileError) { try folder.begin(name) } catch { throw .file(error) }
        try text.begin(overview)
    }

    package func take(_ people: PeerNames) throws(ExportError) { try text.take(people) }
    package func take(_ removed: [RemovedMessage]) throws(ExportError) { try text.take(removed) }
    package func begin(conversation: ConversationID) throws(ExportError) { try text.begin(conversation: conversation) }
    package func write(_ part: ExportPart) throws(ExportError) { try text.write(part) }
    package func end(conversation: ConversationID) throws(ExportError) { try text.end(conversation: conversation) }

    package func finish(_ totals: ExportTotals) throws(ExportError) {
        try text.finish(totals)
        do throws(FileError) { try folder.end() } catch { throw .file(error) }
    }
}

/// Writes a plain database into an export's folder.
package final class FolderDatabaseWriter: HistoryWriter {
    private let folder: ExportFolder
    private let name: FilePath
    private var writer: SQLiteWriter?

    package init(as name: FilePath, in folder: ExportFolder) {
        self.folder = folder
        self.name = name
    }

    package var needs: ExportNeeds { [] }

    package func begin(_ overview: ExportOverview) throws(ExportError) {
        var path: FilePath?
        do throws(FileError) { path = try folder.makeFile(name) } catch { throw .file(error) }
        guard let path else { return }
        let opened = try SQLiteWriter(at: path)
        writer = opened
        try opened.begin(overview)
    }

    package func take(_ people: PeerNames) throws(ExportError) { try writer?.take(people) }
    package func begin(conversation: ConversationID) throws(ExportError) {
        try writer?.begin(conversation: conversation)
    }
    package func write(_ part: ExportPart) throws(ExportError) { try writer?.write(part) }
    package func end(conversation: ConversationID) throws(ExportError) { try writer?.end(conversation: conversation) }

    package func finish(_ totals: ExportTotals) throws(ExportError) {
        try writer?.finish(totals)
        // Closes the file.
        writer = nil
        do throws(FileError) { try folder.finishFile(name) } catch { throw .file(error) }
    }
}
