import CommandKit
import CryptoPrimitives
import Foundation
import JSONCoding
import SophaxFiles
import StoreChanges
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

/// Whatever a store holds: after a migration, or a repair and a migration, the newest apps read all of it, and nothing that
/// was said is gone.
@Suite("laws of migrate and repair")
struct MigrationLawTests {
    /// The same numbers in every run (SplitMix64).
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static let bodies = [
        "hi", "", "\\u0000", "a\\u0301", "\\u00e1", "á", "a\u{301}", "\\/\\\"\\\\", "\\r\\n", "👋🏽", "\u{202E}abc",
        "\\ud83d\\ude00",
        "\u{FEFF}x", String(repeating: "long ", count: 2_000),
    ]
    private static let brokenBodies = ["\\ud800", "\\x", "a\u{1}b", "a\nb"]
    private static let times = ["795000001", "-1.5", "1e9", "0", "795000001.1234567", "1e300", "5e-324"]
    private static let extras = [
        "", "", ",\"isEdited\":false", ",\"isEdited\":true,\"editedAt\":795000900", ",\"replyToID\":null",
        ",\"reactions\":{}", ",\"reactions\":{\"08c4cab788bd5f92\":\"❤️\"}", ",\"future\":{\"a\":[1,2.50,null]}",
        ",\"hopCount\":3", ",\"readBy\":[]", ",\"expiresAt\":900000000", ",\"audioDuration\":1e-400",
    ]
    private static let refused = [
        (",\"direction\":\"sent\"", ",\"direction\":\"up\""), (",\"timestamp\":", ",\"zeit\":"), ("\"read\"", "7"),
        (",\"hopCount\":3", ",\"hopCount\":300"), (",\"direction\":\"sent\"", ""),
    ]

    private struct Made {
        var text = ""
        var objects: [(id: String, json: String)] = []
    }

    private func list(_ name: String, _ numbers: inout Numbers, _ prefix: String, isBroken: Bool) -> Made {
        var made = Made()
        for index in 0..<Int.random(in: 1...8, using: &numbers) {
            let id = "\(prefix)-\(index)"
            let body =
                (isBroken && Bool.random(using: &numbers) ? Self.brokenBodies : Self.bodies)
                .randomElement(using: &numbers) ?? ""
            let time = Self.times.randomElement(using: &numbers) ?? "1"
            var json =
                "{\"id\":\"\(id)\",\"peerID\":\"\(name)\",\"direction\":\"sent\",\"body\":\"\(body)\",\"timestamp\":\(time),"
                + "\"status\":\"read\"\(Self.extras.randomElement(using: &numbers) ?? "")}"
            if Int.random(in: 0..<6, using: &numbers) == 0, let change = Self.refused.randomElement(using: &numbers) {
                json = json.replacing(change.0, with: change.1)
            }
            made.objects.append((id, json))
        }
        let comma = isBroken && Bool.random(using: &numbers) ? ",, " : ","
        made.text = "[" + made.objects.map(\.json).joined(separator: comma) + "]"
        if isBroken, Bool.random(using: &numbers) { made.text += "  trailing {\"" }
        return made
    }

    private func text(_ path: String) throws -> [UInt8]? {
        try fileBytes(path).map { try MadeStore.open($0) }
    }

    /// Canonical forms of everything that the lists and what is kept aside hold, and all their ids.
    private func content(_ store: MadeStore) throws -> (forms: Set<CanonicalMessage>, ids: Set<String>) {
        var forms: Set<CanonicalMessage> = []
        var ids: Set<String> = []
        let folder = try StoreFolder(at: FilePath(store.path))
        for file in folder.conversations + folder.blobs {
            let bytes = try #require(try text(file.path.text))
            if file.kind == .conversation {
                let list = try #require(
                    try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]], "\(file.stem)")
                ids.formUnion(list.compactMap { $0["id"] as? String })
                let buffer = try PlaintextBuffer(copying: bytes)
                var messages = MessageList(buffer, at: 0)
                var scanner = try MessageScanner()
                _ = try scanner.scan(buffer, 0..<buffer.count, into: &messages)
                forms.formUnion(messages.messages.map { CanonicalMessage($0) })
            } else {
                for entry in try #require(AsideList.entries(bytes)) {
                    forms.insert(CanonicalMessage(source: entry.source))
                    let source = String(decoding: entry.source, as: UTF8.self)
                    for part in source.split(separator: "\"id\":\"").dropFirst() {
                        ids.insert(String(part.prefix { $0 != "\"" }))
                    }
                }
            }
        }
        return (forms, ids)
    }

    @Test("nothing that was said is gone, and nothing is at risk", arguments: [false, true])
    func law(repairsFirst: Bool) throws {
        var numbers = Numbers(state: repairsFirst ? 11 : 5)
        for round in 0..<(LongTests.areWanted ? 400 : 12) {
            let store = MadeStore()
            var made: [Made] = []
            for (index, name) in [MadeStore.alice, MadeStore.bob, "__note_to_self__", "group.G1"].enumerated() {
                let isBroken = Int.random(in: 0..<3, using: &numbers) == 0
                let one = list(name, &numbers, "\(round)-\(index)", isBroken: isBroken)
                let stem = StoreNameRule.v1.stem(for: ConversationID(ByteText(name))).string
                try store.write(one.text, stem)
                made.append(one)
            }
            if repairsFirst { #expect([0, 3].contains(store.run("repair").status.rawValue), "round \(round)") }
            let run = store.run("migrate")
            #expect([0, 3].contains(run.status.rawValue), "round \(round): \(run.errors)")
            let verify = store.run("verify")
            #expect(verify.status == .success, "round \(round): \(verify.output)")
            let (forms, ids) = try content(store)
            for (id, json) in made.flatMap(\.objects) {
                #expect(ids.contains(id), "round \(round): \(json)")
                guard (try? JSONSerialization.jsonObject(with: Data(json.utf8))) != nil, !json.contains("1e-400") else {
                    continue
                }
                #expect(
                    forms.contains(CanonicalMessage(source: Array(json.utf8))), "round \(round): \(json)")
            }
            #expect(store.run("migrate").output.contains("nothing was written"), "round \(round)")
        }
    }

    @Test(
        "the store that the app wrote says the same afterwards",
        .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func fixture() throws {
        let expected = try Data(contentsOf: URL(fileURLWithPath: SharedFolder.file("fixtures/march/expected.json")))
        let json = try #require(try JSONSerialization.jsonObject(with: expected) as? [String: Any])
        let key = try #require((json["bob"] as? [String: Any])?["storageKey"] as? String)
        let bytes = Array(try #require(Data(base64Encoded: key)))
        let folder = TemporaryFolder()
        folder.write(bytes, to: "key")
        try FileManager.default.copyItem(
            atPath: SharedFolder.file("fixtures/march/appsupport"), toPath: folder.file("phone"))
        for name in ["phone", "phone/sophax_messages", "phone/sophax_attachments"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.file(name))
        }
        func messages() throws -> [CanonicalMessage] {
            var reader = try ConversationReader(key: SecretBytes(copying: bytes.span))
            let store = try StoreFolder(at: FilePath(folder.file("phone")))
            return ConversationFiles.grouping(store.conversations)
                .flatMap { reader.read($0).messages.map { CanonicalMessage($0) } }
        }
        let before = try messages()
        #expect(before.count == 10)
        let run = CommandRun.run(["store", "migrate", folder.file("phone"), "--key-file", folder.file("key")])
        #expect(run.status == .success, "\(run.errors)")
        #expect(try messages() == before)
        let verify = CommandRun.run(["store", "verify", folder.file("phone"), "--key-file", folder.file("key")])
        #expect(verify.status == .success)
    }
}
