import SophaxFiles
import SystemIO
import TestSupport

@testable import HistoryExport

/// A folder that a test has the writer make.
struct HTMLFolder {
    let path: String
    let report: ExportOutcome

    init(
        _ source: ListSource, in folder: TemporaryFolder, named name: String = "out", workers: Int = 2,
        selection: HistorySelection = HistorySelection()
    ) throws {
        try self.init(source, at: folder.file(name), workers: workers, selection: selection)
    }

    init(
        _ source: ListSource, at path: String, workers: Int = 2, selection: HistorySelection = HistorySelection()
    ) throws {
        self.path = path
        let folder = try ExportFolder(for: FilePath(path))
        let writer = HTMLWriter(in: folder, workers: workers)
        report = try HistoryExportRun(source, selection).run(into: writer, in: folder, attachments: .unix, options: [])
        try folder.publish()
    }

    func text(_ name: String) -> String {
        String(decoding: fileBytes(path + "/" + name) ?? [], as: UTF8.self)
    }

    func names(in folder: String = "") -> [String] {
        FolderListing(path + "/" + folder).names
    }
}
