import Testing

@testable import StoreChanges

@Suite("whether bytes are text")
struct TextPlausibilityTests {
    private func holdsText(_ bytes: [UInt8]) -> Bool { TextPlausibility.holdsText(bytes.span) }

    /// A generator whose numbers are the same in every run (SplitMix64).
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

    @Test("noise of any length is none")
    func noise() {
        var numbers = Numbers(state: 7)
        for length in Array(0..<300) + [4_096, 100_000] {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            // Three bytes may be anything once in sixteen million times; none of these is.
            #expect(!holdsText(bytes), "\(length) bytes")
        }
    }

    @Test(
        "text in any script is",
        arguments: [
            "[{\"id\":\"A1\",\"body\":\"Grüße aus Zürich\"}", "[{\"", "[]", "[{\"body\":\"今天天气很好，我们去公园吧。你觉得怎么样？\"}",
            "[{\"body\":\"שלום עולם 👋👋👋👋👋👋👋👋👋👋👋👋\"}",
        ])
    func text(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(holdsText(bytes))
    }

    @Test("text behind a damaged beginning is")
    func damagedBeginning() {
        var numbers = Numbers(state: 3)
        let noise = (0..<512).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let bytes = noise + Array(String(repeating: "{\"id\":\"A1\"},", count: 40).utf8)
        #expect(holdsText(bytes))
    }

    @Test("a bracket alone says nothing")
    func bracket() {
        let bytes = Array("[".utf8)
        #expect(!holdsText(bytes))
    }
}
