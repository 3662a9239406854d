import Testing

@testable import SQLiteDatabase

@Suite("the SQLite library")
struct SQLiteLibraryTests {
    @Test("the text and the number of the version agree")
    func version() {
        #expect(SQLiteLibrary.text(ofVersionNumber: SQLiteLibrary.versionNumber) == SQLiteLibrary.version)
    }

    @Test("the one here does for sxkey")
    func suitable() throws {
        try SQLiteLibrary.check()
    }

    @Test("one that is too old, or lacks what is needed, is named")
    func unsuitable() {
        #expect(SQLiteLibrary.problem(versionNumber: 3_038_000, hasFullTextSearch: true, isThreadSafe: true) == nil)
        #expect(
            SQLiteLibrary.problem(versionNumber: 3_037_002, hasFullTextSearch: true, isThreadSafe: true)
                == .libraryTooOld(found: 3_037_002, needed: 3_038_000))
        #expect(
            SQLiteLibrary.problem(versionNumber: 3_040_001, hasFullTextSearch: false, isThreadSafe: true)
                == .libraryLacks("FTS5"))
        #expect(
            SQLiteLibrary.problem(versionNumber: 3_040_001, hasFullTextSearch: true, isThreadSafe: false)
                == .libraryLacks("threads"))
        #expect(SQLiteLibrary.text(ofVersionNumber: 3_037_002) == "3.37.2")
    }
}
