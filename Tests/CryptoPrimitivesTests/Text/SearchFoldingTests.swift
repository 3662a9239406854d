import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("Folding for searches")
struct SearchFoldingTests {
    private static let hasPython =
        ChildProcess.has("python3")
        && ChildProcess.run(["python3", "-c", "import unicodedata; print(unicodedata.unidata_version)"]).outputText
            .hasPrefix("14.")

    private func folded(_ scalar: UInt32, _ folding: SearchFolding) -> String {
        let character = folding.folded(scalar)
        let parts = folding.sequence(of: character).map { part in
            "\(part.kind)" + (part.kind == .separator || part.kind == .dropped ? "" : ":\(part.scalar)")
        }
        return parts.joined(separator: " ")
    }

    /// "Words of the index" of sxkey-formats(5), written once more on the tables of Python.
    private static let program = """
        import unicodedata as u
        UNITS = [(0xE00,0xEFF),(0x1000,0x109F),(0xA9E0,0xA9FF),(0xAA60,0xAA7F),(0x1780,0x17FF),(0x1100,0x11FF),
          (0x3130,0x318F),(0xA960,0xA97F),(0xAC00,0xD7FF),(0x2E80,0x2FDF),(0x3005,0x3007),(0x3021,0x3029),(0x3038,0x303B),
          (0x3400,0x4DBF),(0x4E00,0x9FFF),(0xF900,0xFAFF),(0x20000,0x3FFFF),(0x3041,0x30FF),(0x31F0,0x31FF),
          (0x1AFF0,0x1B16F),(0xFF66,0xFF9F),(0x3100,0x312F),(0x31A0,0x31BF)]
        # DerivedCoreProperties.txt, Default_Ignorable_Code_Point, those that are not Cf
        IGNORED = [(0x34F,0x34F),(0x115F,0x1160),(0x17B4,0x17B5),(0x180B,0x180D),(0x180F,0x180F),(0x3164,0x3164),
          (0xFE00,0xFE0F),(0xFFA0,0xFFA0),(0xE0100,0xE01EF)]
        OTHER = {'ø':'o','đ':'d','ð':'d','ł':'l','ħ':'h','ŧ':'t','æ':'ae','œ':'oe','þ':'th','ı':'i','\\u0671':'\\u0627',
          '\\u0649':'\\u064a','\\u06cc':'\\u064a','\\u06a9':'\\u0643','\\u0629':'\\u0647','\\u06c1':'\\u0647'}
        within = lambda n, ranges: any(a <= n <= b for a, b in ranges)
        def kind(c):
            n, k = ord(c), u.category(c)
            if n == 0x640 or 0x1F3FB <= n <= 0x1F3FF or k in ('Cf', 'Me') or within(n, IGNORED): return 'dropped'
            if 0x1F1E6 <= n <= 0x1F1FF: return 'flagHalf'
            letter = 'unit' if within(n, UNITS) else 'letter'
            if k[0] == 'L' or k in ('Nl', 'Mc'): return letter
            if k[0] == 'N': return 'letter'
            if k == 'Mn':
                m = u.combining(c)
                if m == 8: return 'unitMark'
                if n != 0x1037 and (m in (1, 7) or 10 <= m <= 36 or m >= 200): return 'dropped'
                return letter
            return 'symbol' if k in ('So', 'Sc', 'Co') else 'separator'
        def text(k, n): return k if k in ('separator', 'dropped') else '%s:%d' % (k, n)
        def fold(c):
            k = kind(c)
            if k in ('dropped', 'symbol', 'flagHalf') or u.decomposition(c).startswith('<fraction>'): return text(k, ord(c))
            s, last = c, None
            while s != last and not 0xAC00 <= ord(c) <= 0xD7A3: s, last = u.normalize('NFKD', s.casefold()), s
            out = []
            for p in s:
                if p in OTHER: out += ['letter:%d' % ord(o) for o in OTHER[p]]
                elif kind(p) != 'dropped':
                    out.append(text(kind(p), 48 + u.digit(p) if u.category(p) == 'Nd' else ord(p)))
            return ' '.join(out) or 'dropped'
        for n in range(0x80, 0x110000):
            c = chr(n)
            if u.category(c) in ('Cn', 'Cs', 'Co') or 0x4E10 <= n <= 0x9F00 or 0xAC10 <= n <= 0xD780 or 0x20010 <= n <= 0x30000: continue
            print(n, fold(c))
        """

    @Test(
        "every character is folded as Python's tables say",
        .enabled(if: hasPython, "needs python3 with Unicode 14"))
    func python() throws {
        let result = ChildProcess.run(["python3", "-c", Self.program])
        #expect(result.status == 0, "\(result.errorText)")
        let folding = SearchFolding()
        var compared = 0
        var different: [String] = []
        for line in result.outputText.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            let scalar = try #require(UInt32(parts[0]))
            let found = folded(scalar, folding)
            compared += 1
            // Python does not know what is an emoji.
            let isPicture = found.hasPrefix("symbol:") && parts[1].hasPrefix("separator")
            if found != parts[1], !isPicture {
                different.append("U+\(String(scalar, radix: 16)): \(found), not \(parts[1])")
            }
        }
        #expect(compared > 40_000)
        #expect(different.prefix(20) == [])
    }

    @Test("a character has at most 18, and what one is folded to is folded to itself")
    func idempotent() {
        let folding = SearchFolding()
        var longest = 0
        var unstable: [UInt32] = []
        // What is left out is Han, for itself alone, or not assigned.
        for scalar in Array(0x80..<0x4E00) + Array(0x9F00..<0x1_4000) + Array(0x1_6000..<0x2_0000) as [UInt32] {
            let parts = folding.sequence(of: folding.folded(scalar))
            longest = max(longest, parts.count)
            for part in parts where part.kind != .dropped && part.kind != .separator {
                if folding.sequence(of: folding.folded(part.scalar)) != [part] { unstable.append(scalar) }
            }
        }
        #expect(longest == SearchFolding.longestSequence)
        #expect(unstable.prefix(10).map { String($0, radix: 16) } == [])
    }

    @Test("what is no character is a separator")
    func outside() {
        let folding = SearchFolding()
        #expect(folding.folded(0x11_0000).kind == .separator)
        #expect(folding.folded(.max).kind == .separator)
    }
}
