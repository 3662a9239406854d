import CryptoPrimitives
import TestSupport
import Testing

@testable import PortableBundle

@Suite("The archive in a bundle")
struct ArchiveTests {
    private let folder = TemporaryFolder()
    private let bundle: RawBundle

    init() throws {
        bundle = try RawBundle(folder.file("a.sxb"))
    }

    /// What reading an archive gives whose manifest is right and is followed by `rest`.
    private func error(_ rest: [UInt8], _ declared: [SXBEntry] = []) throws -> SXBError? {
        try bundle.write(archive: RawArchive.manifest + rest)
        return bundle.error(declared)
    }

    private static let entry = RawArchive.entry("a", [1, 2, 3])
    private static let declared = [SXBEntry("a", size: 3)]
    private static let end = RawArchive.end

    @Test("made by hand as it should be is read")
    func right() throws {
        #expect(try error(Self.entry + Self.end, Self.declared) == nil)
        #expect(try error(Self.end) == nil)
    }

    @Test("begins with the manifest")
    func manifestFirst() throws {
        try bundle.write(archive: Self.entry + RawArchive.manifest + Self.end)
        #expect(bundle.error() == .archive(.manifestNotFirst))
        try bundle.write(archive: Self.end)
        #expect(bundle.error() == .archive(.manifestNotFirst))
        try bundle.write(archive: RawArchive.entry("Manifest.json") + Self.end)
        #expect(bundle.error() == .archive(.manifestNotFirst))
    }

    @Test("has a manifest of limited size, however it compresses")
    func largeManifest() throws {
        let size = SXBFormat.manifestCeiling + 1
        try bundle.write(archive: TarHeader.bytes(SXBEntry("manifest.json", size: size)) + Self.end)
        #expect(bundle.error() == .archive(.manifestTooLarge(limit: SXBFormat.manifestCeiling, found: size)))
        // The largest one that is allowed is asked for, and is not there.
        try bundle.write(
            archive: TarHeader.bytes(SXBEntry("manifest.json", size: SXBFormat.manifestCeiling)) + Self.end)
        #expect(bundle.error() == .archive(.truncated))
    }

    @Test("holds what the manifest says, in that order, and nothing else")
    func declarations() throws {
        let other = RawArchive.entry("b", [1, 2, 3])
        let both = [SXBEntry("a", size: 3), SXBEntry("b", size: 3)]
        #expect(try error(Self.entry + other + Self.end, both) == nil)
        #expect(try error(other + Self.entry + Self.end, both) == .archive(.misplaced(Array("b".utf8))))
        #expect(try error(Self.entry + Self.entry + Self.end, both) == .archive(.misplaced(Array("a".utf8))))
        #expect(try error(Self.entry + Self.end, both) == .archive(.missing(Array("b".utf8))))
        #expect(try error(Self.entry + other + Self.end, Self.declared) == .archive(.undeclared(Array("b".utf8))))
        #expect(try error(RawArchive.manifest + Self.end) == .archive(.undeclared(Array("manifest.json".utf8))))
        #expect(
            try error(Self.entry + Self.end, [SXBEntry("a", size: 2)])
                == .archive(.size(name: Array("a".utf8), declared: 2, found: 3)))
        #expect(
            try error(Self.entry + Self.end, [SXBEntry("a", size: 4)])
                == .archive(.size(name: Array("a".utf8), declared: 4, found: 3)))
    }

    @Test("has regular files only", arguments: Array("1234567gKLSDVMNA".utf8) + [0, 0x80])
    func kinds(_ kind: UInt8) throws {
        let changed = RawArchive.changed(Self.entry, at: 156, to: [kind])
        #expect(
            try error(changed + Self.end, Self.declared)
                == .archive(.notRegular(kind: kind, name: Array("a".utf8))))
    }

    @Test("takes no name that leads elsewhere or that cannot be shown")
    func names() throws {
        for name in [
            "", "/", "/etc/passwd", "..", "../a", "a/..", "a/../b", "a/./b", ".", "a//b", "a/", "a\\b", "a\u{1B}[2J",
            "a\u{7F}",
            "a\u{85}", "a\nb", String(repeating: "a", count: 256), String(repeating: "a/", count: 600) + "a",
            String(repeating: "a/", count: 8) + "a",
        ] {
            let bytes = Array(name.utf8)
            let archive = RawArchive.manifest + RawArchive.entry(name) + Self.end
            try bundle.write(archive: archive)
            let found = bundle.error([SXBEntry("x", size: 0)])
            #expect(found == .archive(.name(bytes)), "\(name): \(String(describing: found))")
            #expect(bundle.error([SXBEntry(bytes, size: 0)]) == .archive(.name(bytes)), "\(name), declared")
        }
        let broken: [UInt8] = [0x61, 0xC3]
        #expect(try error(TarHeader.bytes(SXBEntry(broken, size: 0)) + Self.end) == .archive(.name(broken)))
        #expect(try error(Self.end, [SXBEntry(broken, size: 0)]) == .archive(.name(broken)))
    }

    @Test(
        "takes no two names that a file system may take for one",
        arguments: [
            ("a", "A"), ("caf\u{E9}", "cafe\u{301}"), ("stra\u{DF}e", "STRASSE"), ("a", "a/b"), ("a/b", "A"),
            ("a/b", "A/c"),
            ("a", "a"), ("x/manifest", "x/Manifest"), ("manifest.json", "b"), ("MANIFEST.JSON", "b"),
            ("Signature.json", "b"),
            ("signature.json", "b"), ("manifest.json/a", "b"),
        ])
    func collisions(_ first: String, _ second: String) throws {
        let found = try error(Self.end, [SXBEntry(first, size: 0), SXBEntry(second, size: 0)])
        guard case .archive(.collision) = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test("the same folder may hold several files")
    func folders() throws {
        let files: SampleBundle.Files = [("a/b/c", [1]), ("a/b/d", [2]), ("a/e", [3]), ("b", [4])]
        let archive = files.flatMap { RawArchive.entry($0.name, $0.bytes) }
        #expect(try error(archive + Self.end, SampleBundle.entries(files)) == nil)
    }

    @Test("has every byte of a header as the format says")
    func headers() throws {
        let number = Array("0000001".utf8)
        for (place, bytes) in [
            (100, Array("0000644".utf8)), (108, number), (116, number), (124, Array(" 0000000003".utf8)),
            (124, [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]), (136, Array("          0".utf8)), (157, [0x61]),
            (257, [0x55]),
            (263, [0x20]), (265, [0x61]), (297, [0x61]), (329, number), (345, [0x61]), (500, [1]), (511, [1]),
            (2, [0x61]),
        ] as [(Int, [UInt8])] {
            let changed = RawArchive.changed(Self.entry, at: place, to: bytes)
            #expect(
                try error(changed + Self.end, Self.declared)
                    == .archive(.malformed(offset: UInt64(RawArchive.manifest.count))), "byte \(place)")
        }
        // A wrong checksum, and the other spelling of a right one.
        for bytes in [Array("0".utf8), Array(" ".utf8)] {
            var entry = Self.entry
            entry.replaceSubrange(148..<149, with: bytes)
            if entry == Self.entry { entry[150] ^= 1 }
            #expect(
                try error(entry + Self.end, Self.declared)
                    == .archive(.malformed(offset: UInt64(RawArchive.manifest.count))))
        }
    }

    @Test("each bit of a header counts")
    func headerBits() throws {
        var entry = Self.entry
        for bit in stride(from: 0, to: 512 * 8, by: 7) {
            entry[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try error(entry + Self.end, Self.declared) != nil, "bit \(bit)")
            entry[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }

    @Test("has zeros behind its entries")
    func padding() throws {
        var entry = Self.entry
        entry[entry.count - 1] = 1
        let offset = UInt64(RawArchive.manifest.count + 512 + 3)
        #expect(try error(entry + Self.end, Self.declared) == .archive(.malformed(offset: offset)))
    }

    @Test("ends with two blocks of zeros, and then nothing")
    func ending() throws {
        let archive = Self.entry + Self.end
        #expect(try error(archive + [0], Self.declared) == .archive(.trailingData))
        #expect(try error(archive + Self.end, Self.declared) == .archive(.trailingData))
        #expect(try error(archive + Self.entry, Self.declared) == .archive(.trailingData))
        for count in [0, 1, 511, 512, 513, 514, 515, 516, 1023, 1024, 1025, 1535, 1536, 2047] {
            #expect(try error(Array(archive[..<count]), Self.declared) == .archive(.truncated), "\(count) bytes")
        }
        let lone = Self.entry + [UInt8](repeating: 0, count: 512) + Self.entry
        guard case .archive(.malformed) = try error(lone, Self.declared) else {
            Issue.record("a lone block of zeros was passed over")
            return
        }
    }

    @Test("knows names, sizes and times that only a pax header holds")
    func pax() throws {
        let names = [
            "attachments/" + String(repeating: "n", count: 200), "caf\u{E9}", "attachments/\u{1F600}",
            String(repeating: String(repeating: "d", count: 14) + "/", count: 7) + "e",
            String(repeating: String(repeating: "c", count: 200) + "/", count: 5) + "f",
        ]
        let archive = names.flatMap { RawArchive.entry($0, [1]) }
        #expect(try error(archive + Self.end, names.map { SXBEntry($0, size: 1) }) == nil)
        for modified in [-1, 0, 1 << 33 - 1, 1 << 33, Int64.min, Int64.max] as [Int64] {
            for size in [0, 1 << 33 - 1, 1 << 33, 1 << 40] {
                let entry = SXBEntry("a", size: size, modified: modified)
                let bytes = TarHeader.bytes(entry)
                let pax = bytes.count == 512 ? nil : TarHeader.paxRecords(entry)
                #expect(TarHeader.entry(Array(bytes.suffix(512)), pax: pax) == entry)
            }
        }
    }

    @Test("has no pax header but the one that is needed")
    func otherPax() throws {
        let name = String(repeating: "n", count: 101)
        let right = RawArchive.entry(name)
        #expect(try error(right + Self.end, [SXBEntry(name, size: 0)]) == nil)
        func made(_ records: String, _ header: [UInt8]) -> [UInt8] {
            let text = Array(records.utf8)
            var pax = Array(right[..<512])
            pax = RawArchive.changed(
                pax, at: 124,
                to: Array((String(repeating: "0", count: 11) + String(text.count, radix: 8)).suffix(11).utf8))
            return pax + text + [UInt8](repeating: 0, count: TarHeader.padding(text.count)) + header
        }
        let plain = Array(right.suffix(512))
        #expect(made("111 path=\(name)\n", plain) == right)
        for records in [
            "9 path=b\n", "111 path=\(name)\n10 size=0\n", "10 size=0\n111 path=\(name)\n",
            "11 mtime=0\n111 path=\(name)\n",
            "13 comment=x\n111 path=\(name)\n", "111 path=\(name)\n111 path=\(name)\n", "0111 path=\(name)\n",
            "112 path=\(name)\n", "110 path=\(name)\n", "path=\(name)\n", "9999 path=\(name)\n", "111 path=\(name)x",
            "0 path=\(name)\n", "16 linkpath=/etc\n", "",
        ] {
            let found = try error(made(records, plain) + Self.end, [SXBEntry(name, size: 0)])
            guard case .archive(.malformed) = found else {
                Issue.record("\(records): \(String(describing: found))")
                continue
            }
        }
        // Two in a row, one before a folder, one without anything behind it, and one that is too long.
        let start = Array(right[..<1024])
        for archive in [start + right, start + start + plain, start] {
            #expect(try error(archive + Self.end, [SXBEntry(name, size: 0)]) != nil)
        }
        let long = made("4100 path=" + String(repeating: "n", count: 4089) + "\n", plain)
        guard case .archive(.malformed) = try error(long + Self.end) else {
            Issue.record("a long pax header was read")
            return
        }
    }

    @Test("is limited by what the manifest says, before anything is unpacked")
    func bombs() throws {
        let payload = 1 << 20
        let hundred = 100 << 30
        #expect(throws: SXBArchiveFault.tooLarge(limit: (1 << 30) + (1024 << 20), found: UInt64(hundred))) {
            try DeclaredEntries([SXBEntry("a", size: hundred)], payloadLength: payload)
        }
        let limit = DeclaredEntries.ceiling(payloadLength: payload)
        #expect(throws: Never.self) { try DeclaredEntries([SXBEntry("a", size: limit)], payloadLength: payload) }
        #expect(throws: SXBArchiveFault.tooLarge(limit: limit, found: UInt64(limit) + 1)) {
            try DeclaredEntries([SXBEntry("a", size: limit), SXBEntry("b", size: 1)], payloadLength: payload)
        }
        #expect(throws: SXBArchiveFault.tooLarge(limit: 1 << 40, found: 1 << 40 + 1)) {
            try DeclaredEntries([SXBEntry("a", size: 1 << 40 + 1)], payloadLength: .max)
        }
        #expect(throws: SXBArchiveFault.self) { try DeclaredEntries([SXBEntry("a", size: -1)], payloadLength: .max) }
        #expect(throws: SXBArchiveFault.self) { try DeclaredEntries([SXBEntry("a", size: .max)], payloadLength: .max) }
        let many = SXBFormat.entryLimit + 1
        #expect(throws: SXBArchiveFault.tooManyEntries(limit: SXBFormat.entryLimit, found: many)) {
            try DeclaredEntries(Array(repeating: SXBEntry("a", size: 0), count: many), payloadLength: payload)
        }
        #expect(
            try error(TarHeader.bytes(SXBEntry("a", size: hundred)) + Self.end, Self.declared)
                == .archive(.size(name: Array("a".utf8), declared: 3, found: hundred)))
    }
}
