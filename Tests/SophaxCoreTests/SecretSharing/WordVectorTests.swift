import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import SophaxCore

/// The published vectors of SLIP-39: github.com/trezor/python-shamir-mnemonic, vectors.json. Their passphrase is `TREZOR`.
@Suite("SLIP-39 vectors", .enabled(if: SharedFolder.isThere, "the shared folder is not there"))
struct WordVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mnemonics: [String]
        let secret: String
    }

    static let published: [Vector] = {
        guard let data = FileManager.default.contents(atPath: SharedFolder.file("vectors/slip39/vectors.json")),
            let list = try? JSONSerialization.jsonObject(with: data) as? [[Any]]
        else { return [] }
        return list.compactMap { entry in
            guard let name = entry[0] as? String, let words = entry[1] as? [String], let secret = entry[2] as? String
            else { return nil }
            return Vector(testDescription: name, mnemonics: words, secret: secret)
        }
    }()

    @Test("all 45 are there, 15 of them with a secret")
    func number() {
        #expect(Self.published.count == 45)
        #expect(Self.published.count { !$0.secret.isEmpty } == 15)
    }

    /// The error that each of the invalid ones is made for, by the number in its name.
    private static func isExpected(_ error: WordShareError, number: Int) -> Bool {
        switch (number, error) {
        case (2, .checksum), (21, .checksum), (3, .padding), (22, .padding): true
        case (5, .tooFewShares(0, 1, 2)), (24, .tooFewShares(0, 1, 2)): true
        case (6, .differentSets(.identifier)), (25, .differentSets(.identifier)): true
        case (7, .differentSets(.iterationExponent)), (26, .differentSets(.iterationExponent)): true
        case (8, .differentSets(.groupThreshold)), (27, .differentSets(.groupThreshold)): true
        case (9, .differentSets(.groupCount)), (28, .differentSets(.groupCount)): true
        case (10, .groupThresholdAboveCount), (29, .groupThresholdAboveCount): true
        case (11, .repeatedShare), (30, .repeatedShare): true
        case (12, .memberThresholds), (31, .memberThresholds): true
        case (13, .digest), (32, .digest): true
        case (14, .tooFewGroups(1, 2)), (33, .tooFewGroups(1, 2)): true
        case (15, .tooFewGroups), (34, .tooFewGroups): true
        case (16, .tooFewShares), (35, .tooFewShares): true
        case (39, .wordCount), (40, .noSuchLength): true
        default: false
        }
    }

    @Test("each gives its secret, or the error that it is made for", arguments: published)
    func giveWhatTheyAreMadeFor(vector: Vector) throws {
        let number = try #require(Int(vector.testDescription.prefix { $0 != "." }))
        do {
            let shares = try vector.mnemonics.map { try WordShare(secret(text: $0)) }
            let found = try WordShareSet.combine(shares, passphrase: secret(text: "TREZOR"))
            #expect(found.exposed == bytes(hex: vector.secret))
            for (share, mnemonic) in zip(shares, vector.mnemonics) {
                #expect(try share.words().exposed == Array(mnemonic.utf8), "written as it was read")
            }
        } catch let error as WordShareError {
            #expect(vector.secret.isEmpty)
            #expect(Self.isExpected(error, number: number), "\(error)")
        }
    }
}
