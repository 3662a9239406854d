import Glibc
import TestSupport
import Testing

/// `SXKEY_HTML_FOLDER` names a folder that gets the sample, for looking at.
@Suite struct KeptSample {
    static let folder = getenv("SXKEY_HTML_FOLDER").map { String(cString: $0) }

    @Test("the sample is kept for looking at", .enabled(if: folder != nil))
    func keep() throws {
        guard let folder = Self.folder else { return }
        let made = try HTMLFolder(HTMLSample().source, at: folder)
        #expect(made.report.totals.conversations == 5)
    }
}
