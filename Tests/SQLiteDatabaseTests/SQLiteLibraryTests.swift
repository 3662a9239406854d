import SQLiteDatabase
import Testing

@Suite("the SQLite library")
struct SQLiteLibraryTests {
    @Test("the text and the number of the version agree")
    func version() throws {
        let parts = SQLiteLibrary.version.split(separator: ".").compactMap { Int($0) }
        try #require(parts.count >= 2)
        #expect(SQLiteLibrary.versionNumber / 1_000_000 == parts[0])
        #expect(SQLiteLibrary.versionNumber / 1_000 % 1_000 == parts[1])
    }
}
