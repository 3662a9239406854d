@testable import SophaxFiles

/// Made-up histories that try what real ones rarely have; the same for the same seed.
struct RandomHistory {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    /// splitmix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    /// JSON text of a string: raw, or with escapes that say the same.
    mutating func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    /// What stands between the quotes. (Not `quoted` without its ends: a combining mark would go with them.)
    mutating func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "/" where chance(50): result += "\\/"
            case _ where scalar.value < 0x20 || (scalar.value < 0x10000 && chance(3)):
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static let bodies = [
        "", "hi", "a\0b", "line\r\nline\r\rend\n", "\u{301}alone", "caf\u{E9}", "cafe\u{301}",
        "\u{202E}gpj.exe\u{202C}",
        "\u{FEFF}mark first", "👩‍👩‍👧‍👦🏳️‍🌈", "שלום 123 مرحبا", "\u{2028}\u{2029}\u{85}", "\u{FFFE}\u{FFFF}\u{10FFFF}",
        "</script>&amp;'\"\\",
        "今天天气很好", "[image]", "null", " \t\u{7F}\u{9B}31m",
    ]

    mutating func body() -> String {
        if below(500) == 0 { return String(repeating: pick(["x", "é", "\u{FEFF}", "👍"]), count: 65_536) }
        return chance(30) ? pick(Self.bodies) + pick(Self.bodies) : pick(Self.bodies)
    }

    mutating func id() -> String {
        chance(70)
            ? "\(String(next(), radix: 16, uppercase: true))-\(below(10_000))"
            : pick(["", " ", "1", "é", "e\u{301}", "../../x", "\0", "id with \"quotes\"", "\u{FEFF}"]) + "\(next())"
    }

    /// A JSON number for a date in seconds since 2001.
    mutating func date() -> String {
        switch below(10) {
        case 0:
            pick(["0", "-0", "-0.0", "1e-07", "5e-324", "1.7976931348623157e+308", "-978307200", "253402300799.75"])
        case 1: "\(Double(bitPattern: next() & 0x7FEF_FFFF_FFFF_FFFF))"
        case 2: "\(790_000_000 + below(10_000_000))"
        default: "\(790_000_000 + Double(next() >> 11) / 9_007_199_254_740_992 * 10_000_000)"
        }
    }

    static let people = [
        "3619e750a2dd52ba978807b2a00df56d", "3619e750a2dd52ba", "9e6fbd6f40ba2b58", "someone", "",
    ]

    /// A message of any shape that an iOS app wrote, `isEdited` perhaps missing.
    mutating func message(_ conversation: String, id: String? = nil, oldShapes: Bool = true) -> String {
        var members = [
            ("id", quoted(id ?? self.id())), ("peerID", quoted(conversation)),
            ("direction", chance(50) ? "\"sent\"" : "\"received\""), ("body", quoted(body())), ("timestamp", date()),
            ("status", quoted(pick(["sending", "failed", "delivered", "read"]))),
        ]
        if !oldShapes || chance(70) { members.append(("isEdited", chance(20) ? "true" : "false")) }
        members += changeable()
        if chance(20) { members.append(("replyToID", quoted(self.id()))) }
        if chance(20) { members.append(("attachmentID", quoted(self.id()))) }
        if chance(20) { members.append(("attachmentMimeType", "\"image\\/jpeg\"")) }
        if chance(10) {
            members.append(("attachmentFilename", quoted(pick(["é.txt", "e\u{301}.txt", "../x", "\u{202E}gpj"]))))
        }
        if chance(10) { members.append(("audioDuration", pick(["0.1", "12", "3.0000000000000004"]))) }
        if chance(30) { members.append(("senderID", quoted(pick(Self.people)))) }
        // Any order of keys, as Foundation writes them.
        for index in members.indices.reversed() where index > 0 { members.swapAt(index, below(index + 1)) }
        return Self.object(members)
    }

    /// What changes in the life of a message.
    private mutating func changeable() -> [(String, String)] {
        var members: [(String, String)] = []
        if chance(20) { members.append(("expiresAt", date())) }
        if chance(20) { members.append(("hopCount", "\(below(256))")) }
        if chance(20) { members.append(("receivedAt", date())) }
        if chance(15) { members.append(("editedAt", date())) }
        if chance(25) {
            let people = Self.people.filter { _ in chance(40) }
            members.append(
                (
                    "reactions",
                    Self.object(
                        people.map { ($0 == "" ? "\"\"" : "\"\($0)\"", quoted(pick(["👍", "❤️", "x"]))) }, areQuoted: true
                    )
                ))
        }
        for key in ["deliveredBy", "readBy"] where chance(25) {
            let people = Self.people.filter { _ in chance(40) }
            members.append((key, "[" + people.map { quoted($0) }.joined(separator: ",") + "]"))
        }
        return members
    }

    private static func object(_ members: [(String, String)], areQuoted: Bool = false) -> String {
        "{" + members.map { (areQuoted ? $0.0 : "\"\($0.0)\"") + ":" + $0.1 }.joined(separator: ",") + "}"
    }

    /// The same message at another time of its life, sometimes another message with its id.
    mutating func later(_ json: String) -> String {
        guard let object = MessageObject(Array(json.utf8)) else { return json }
        let life: Set = ["expiresAt", "hopCount", "receivedAt", "editedAt", "reactions", "deliveredBy", "readBy"]
        var members: [(String, String)] = object.members.compactMap { member in
            let key = String(decoding: member.key, as: UTF8.self)
            let value = String(decoding: object.source[member.text], as: UTF8.self)
            if life.contains(key), chance(60) { return nil }
            if key == "isEdited", chance(30) { return chance(50) ? (key, "true") : nil }
            if key == "status", chance(50) { return (key, quoted(pick(["sending", "failed", "delivered", "read"]))) }
            if key == "body", chance(20) { return (key, quoted(body())) }
            return (key, value)
        }
        for (key, value) in changeable() where !members.contains(where: { $0.0 == key }) {
            members.append((key, value))
        }
        return Self.object(members)
    }

    static func list(_ messages: [String]) -> [UInt8] {
        Array(("[" + messages.joined(separator: ",") + "]").utf8)
    }
}
