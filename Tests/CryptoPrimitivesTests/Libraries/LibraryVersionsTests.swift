import Testing

@testable import CryptoPrimitives

@Suite("LibraryVersions")
struct LibraryVersionsTests {
    @Test("each library tells a version of its own form")
    func forms() {
        for version in [LibraryVersions.sodium, LibraryVersions.openssl, LibraryVersions.utf8proc] {
            let parts = version.split(separator: ".")
            #expect(parts.count >= 2 && parts.allSatisfy { Int($0) != nil }, "\(version)")
        }
        #expect(LibraryVersions.openssl.hasPrefix("3."))
        #expect(LibraryVersions.argon2 == "0x13")
    }
}
