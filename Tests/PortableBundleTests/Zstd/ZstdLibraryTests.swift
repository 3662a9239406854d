import PortableBundle
import Testing

@Suite("The compression library")
struct ZstdLibraryTests {
    @Test("has a version of the 1.x line, whose frame format is fixed")
    func version() {
        let parts = ZstdLibrary.version.split(separator: ".").compactMap { Int($0) }
        #expect(parts.count == 3)
        #expect(parts.first == 1)
    }
}
