import Testing

@testable import SophaxCore

@Suite("A peer id")
struct PeerIDTests {
    let first: Fingerprint
    let second: Fingerprint

    init() throws {
        first = try CheckIdentity.first.publicKeys().fingerprint
        second = try CheckIdentity.second.publicKeys().fingerprint
    }

    @Test("is the beginning of the fingerprint in each of the three lengths")
    func lengths() {
        #expect(PeerID(first, form: .hex16).text == "3619e750a2dd52ba")
        #expect(PeerID(first, form: .hex32).text == "3619e750a2dd52ba978807b2a00df56d")
        #expect(PeerID(first, form: .hex64).text == first.hex)
    }

    @Test(
        "keeps the length it was found in, and says which it is",
        arguments: [
            ("3619e750a2dd52ba", PeerID.Form.hex16),
            ("3619e750a2dd52ba978807b2a00df56d", .hex32),
            ("3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528", .hex64),
            ("3619e750a2dd52b", .other),
            ("3619e750a2dd52ba9", .other),
            ("3619E750A2DD52BA", .other),
            ("3619e750a2dd52bg", .other),
            ("", .other),
            ("__note_to_self__", .other),
            ("group.E8EEABCD-D69B-4E6D-999A-612230CBB467", .other),
        ])
    func forms(_ text: String, _ form: PeerID.Form) {
        #expect(PeerID(text).form == form)
        #expect(PeerID(text).text == text)
    }

    @Test("matches the fingerprint that it begins, in every length, and no other")
    func matches() {
        for form in [PeerID.Form.hex16, .hex32, .hex64] {
            #expect(PeerID(first, form: form).matches(first))
            #expect(!PeerID(first, form: form).matches(second))
        }
        #expect(!PeerID("").matches(first))
        #expect(!PeerID("3619e750").matches(first))
        #expect(!PeerID("3619E750A2DD52BA").matches(first))
    }

    @Test("one digit off is another person")
    func oneDigit() {
        #expect(!PeerID("3619e750a2dd52bb").matches(first))
        #expect(!PeerID("3619e750a2dd52ba978807b2a00df56e").matches(first))
        #expect(!PeerID("3619e750a2dd52bb").isSamePerson(as: PeerID(first, form: .hex32)))
    }

    @Test("is the same person across the lengths, whichever is longer")
    func samePerson() {
        let forms = [PeerID.Form.hex16, .hex32, .hex64]
        for left in forms {
            for right in forms {
                #expect(PeerID(first, form: left).isSamePerson(as: PeerID(first, form: right)))
                #expect(!PeerID(first, form: left).isSamePerson(as: PeerID(second, form: right)))
                #expect((PeerID(first, form: left) == PeerID(first, form: right)) == (left == right))
            }
        }
    }

    @Test("that is no digits is only the same as itself")
    func otherForms() {
        #expect(PeerID("__note_to_self__").isSamePerson(as: PeerID("__note_to_self__")))
        #expect(!PeerID("").isSamePerson(as: PeerID(first, form: .hex16)))
        #expect(!PeerID(first, form: .hex16).isSamePerson(as: PeerID("")))
        #expect(!PeerID("group.a").isSamePerson(as: PeerID("group.")))
    }

    @Test("compares bytes, not characters: two spellings of é are two ids")
    func comparesBytes() {
        let composed = PeerID("caf\u{E9}")
        let decomposed = PeerID("cafe\u{301}")
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test("keeps bytes that are not UTF-8")
    func notUTF8() {
        #expect(PeerID(bytes: [0xFF, 0xFE]).bytes == [0xFF, 0xFE])
        #expect(PeerID(bytes: [0xFF]) != PeerID(bytes: [0xFE]))
    }
}
