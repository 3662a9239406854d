import SophaxCore
import Testing

@testable import History

@Suite("Names of people")
struct PeerNamesTests {
    @Test("a peer id of any length finds the name, and one that two people share finds none")
    func names() throws {
        let first = try Fingerprint(bytes: Array(repeating: 0xAB, count: 32))
        let second = try Fingerprint(
            bytes: Array(repeating: 0xAB, count: 16) + Array(repeating: 0xCD, count: 16))
        var names = PeerNames(known: [(first, Array("Ana".utf8))])
        #expect(names.name(of: Array(String(repeating: "ab", count: 8).utf8)) == Array("Ana".utf8))
        #expect(names.name(of: Array(String(repeating: "ab", count: 32).utf8)) == Array("Ana".utf8))
        #expect(names.name(of: Array(String(repeating: "ba", count: 16).utf8)) == nil)
        names.add(Array("Bob".utf8), of: second)
        #expect(names.name(of: Array(String(repeating: "ab", count: 8).utf8)) == nil)
        #expect(names.name(of: Array(String(repeating: "ab", count: 32).utf8)) == Array("Ana".utf8))
    }
}
