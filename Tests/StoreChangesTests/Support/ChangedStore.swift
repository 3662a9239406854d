import CryptoPrimitives
import SampleData
import SophaxFiles
import StoreChanges
import SystemIO
import TestSupport

/// A store that a test changes: `phone` in a folder of its own, with three conversations, a blob and attachments.
struct ChangedStore {
    let folder = TemporaryFolder()
    static let oldBytes = [UInt8](0..<32)
    static let newBytes = [UInt8](100..<132)
    static let date = "2026-11-30"

    let oldKey: SharedKey
    let newKey: SharedKey

    /// By their place in the unit.
    let texts: [String: [UInt8]]

    /// - Parameter attachments: bytes of each attachment.
    init(conversations: Int = 3, attachments: [Int] = [0, 1, 5000]) throws {
        oldKey = SharedKey(try SecretBytes(copying: Self.oldBytes.span))
        newKey = SharedKey(try SecretBytes(copying: Self.newBytes.span))
        var texts: [String: [UInt8]] = [:]
        for number in 0..<conversations {
            texts["sophax_messages/08c4cab788bd5f9\(number).enc"] = Array(Self.list(number).utf8)
        }
        texts["sophax_messages/pending_queue.enc"] = Array("[]".utf8)
        for (number, size) in attachments.enumerated() {
            let name = "sophax_attachments/21B97766-CBA6-4F5B-876C-FE69A757CFA\(number)"
            texts[name] = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        }
        self.texts = texts
        for name in ["phone", "phone/sophax_messages", "phone/sophax_attachments"] { _ = folder.makeFolder(name) }
        for (name, text) in texts { folder.write(try Self.seal(text), to: "phone/" + name) }
    }

    private static func list(_ number: Int) -> String {
        let messages = (0..<(3 + number)).map { index in
            "{\"id\":\"\(number)-\(index)\",\"peerID\":\"08c4cab788bd5f9\(number)\",\"direction\":\"sent\","
                + "\"body\":\"hi \(index)\",\"timestamp\":79500000\(index),\"status\":\"read\",\"isEdited\":false}"
        }
        return "[" + messages.joined(separator: ",") + "]"
    }

    static func seal(_ text: [UInt8]) throws -> [UInt8] {
        var cipher = try AESGCM(key: SecretBytes(copying: oldBytes.span))
        return try cipher.sealCombined(text.span)
    }

    var path: FilePath { FilePath(folder.path).appending("phone") }
    var keptName: String { "phone.before-rekey-\(Self.date)" }

    func unit(_ scope: ChangeUnit.Scope = .messagesAndAttachments) throws -> ChangeUnit {
        try ChangeUnit(of: path, scope)
    }

    /// A rekey as the command does it.
    func rekey(
        keeps: Bool = true, workers: Int = 2, hooks: StoreChange.Hooks = .init()
    ) throws -> (recovered: [Recovery], outcome: ChangeOutcome) {
        var turn = try ChangeTurn(for: unit())
        let recovered = try turn.recover()
        let plan = try ChangePlan(.rekey, unit())
        var change = StoreChange(
            plan, oldKey: oldKey, newKey: newKey, keeps: keeps, workers: workers, date: Self.date)
        change.hooks = hooks
        return (recovered, try change.run(turn))
    }

    /// The texts of the files of a store that the key opens, by place.
    static func opened(_ root: String, _ names: some Sequence<String>, _ key: SharedKey) throws -> [String: [UInt8]] {
        var texts: [String: [UInt8]] = [:]
        var cipher = try AESGCM(key: key.bytes)
        for name in names {
            guard let box = fileBytes(root + "/" + name), let text = try? cipher.openCombined(box.span) else {
                continue
            }
            texts[name] = text.withSpan { span in span.indices.map { span[$0] } }
        }
        return texts
    }

    func opens(_ name: String, with key: SharedKey) throws -> Bool {
        try Self.opened(folder.file(name), texts.keys, key) == texts
    }
}
