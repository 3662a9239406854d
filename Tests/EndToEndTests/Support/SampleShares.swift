import CryptoPrimitives
import SophaxCore

/// Shares of the sample's identity beside its keyring: three of five as JSON, and two of three as words.
enum SampleShares {
    static func make(of keys: borrowing Identity) throws -> [(name: String, text: [UInt8])] {
        var files: [(name: String, text: [UInt8])] = []
        func add(_ name: String, _ text: borrowing SecretBytes) {
            files.append((name, text.withSpan { text in text.indices.map { text[$0] } } + [0x0A]))
        }
        let shares = try IdentityShareSet.split(
            keys, name: Array("Ana".utf8), threshold: 3, total: 5, createdAt: 801_692_800, random: .system)
        for share in shares where share.index != 2 {
            add("share-\(share.index)-of-5.json", try share.text(.sxkey))
        }
        let words = try WordShareSet.split(
            IdentitySecret.of(keys), threshold: 2, total: 3, passphrase: SecretBytes(count: 0), random: .system)
        add("share-1-of-3.words", try words[0].words())
        add("share-3-of-3.words", try words[2].words())
        return files
    }
}
