import Testing

@testable import SophaxCore

@Suite("A contact card")
struct ContactCardTests {
    private static let onion = "aoqqpp7tzyil4hlq3umoos6atft6jvrqtosq2xy53sdgiesvgg4bqead.onion"
    private static let id = "3619e750a2dd52ba978807b2a00df56d"

    private func card(_ text: String) throws -> ContactCard {
        guard case .card(let card) = try ContactLink(parsing: Array(text.utf8)) else { throw ContactLinkError.notALink }
        return card
    }

    private func error(_ text: String) -> ContactLinkError? {
        #expect(throws: ContactLinkError.self) { try ContactLink(parsing: Array(text.utf8)) }
    }

    @Test("is written as iOS writes it, and read back")
    func written() throws {
        let keys = try CheckIdentity.first.publicKeys()
        let card = ContactCard(of: keys, form: .hex32)
        #expect(card.text == "sophaxchat://add?id=\(Self.id)&onion=\(Self.onion)&port=25519")
        let read = try self.card(card.text ?? "")
        #expect(read == card)
        let other = ContactCard(of: keys, form: .hex16, port: 4000)
        #expect(other.text == "sophaxchat://add?id=3619e750a2dd52ba&onion=\(Self.onion)&port=4000")
        #expect(try self.card(other.text ?? "") == other)
    }

    @Test("is read by iOS whatever the case of scheme and host, by NFC and Android only as written")
    func spelling() throws {
        let rest = "?id=\(Self.id)&onion=\(Self.onion)"
        #expect(try card("sophaxchat://add" + rest).readers == [.ios, .iosNFC, .android])
        #expect(try card("SophaxChat://add" + rest).readers == [.ios])
        #expect(try card("sophaxchat://ADD" + rest).readers == [.ios, .iosNFC])
        #expect(try card("sophaxchat://add?id=\(Self.id)&onion=\(Self.onion.uppercased())").readers == [.ios, .iosNFC])
        #expect(try card("sophaxchat://add?id=\(Self.id)&onion=\(Self.onion.uppercased())").onion == Self.onion)
        #expect(error("sophaxchat://plus" + rest) == .notALink)
        #expect(error("https://add" + rest) == .notALink)
        #expect(error("sophaxchat:add" + rest) == .notALink)
        #expect(error("sophaxchat://me@add" + rest) == .notALink)
    }

    @Test("of the Android app has the port inside its address, and no app reads it")
    func android() throws {
        let card = try card("sophaxchat://add?id=3619e750a2dd52ba&onion=\(Self.onion):25519&port=25519")
        #expect(card.onion == Self.onion && card.port == 25_519)
        #expect(card.defects == [.portInsideOnion])
        #expect(card.readers == [])
        let local = try self.card("sophaxchat://add?id=3619e750a2dd52ba&onion=192.168.1.7:25519&port=25519")
        #expect(local.onion == nil && local.text == nil)
        #expect(local.defects == [.portInsideOnion, .notAnOnion] && local.readers == [])
    }

    @Test(
        "has a port that iOS takes, or the usual one with a defect",
        arguments: [
            ("", 25_519, true), ("&port=1024", 1024, true), ("&port=65535", 65_535, true),
            ("&port=01025", 1025, true), ("&port=1023", 25_519, false), ("&port=0", 25_519, false),
            ("&port=65536", 25_519, false), ("&port=99999999999999999999999999", 25_519, false),
            ("&port=-1", 25_519, false), ("&port=+2000", 25_519, false), ("&port=", 25_519, false),
            ("&port=80a", 25_519, false), ("&port", 25_519, true),
        ] as [(String, UInt16, Bool)])
    func ports(text: String, port: UInt16, isGood: Bool) throws {
        let card = try card("sophaxchat://add?id=\(Self.id)&onion=\(Self.onion)\(text)")
        #expect(card.port == port)
        #expect(card.defects == (isGood ? [] : [.port]))
        #expect(card.readers == (isGood ? [.ios, .iosNFC, .android] : [.android]))
    }

    @Test("whose address is not a good onion address says so, and who reads it all the same")
    func onions() throws {
        let flipped = Self.onion.replacing("aoqqpp", with: "boqqpp")
        let wrong = try card("sophaxchat://add?id=\(Self.id)&onion=\(flipped)")
        #expect(wrong.defects == [.onionChecksum] && wrong.onion == flipped)
        #expect(wrong.readers == [.ios, .iosNFC, .android])
        let short = try card("sophaxchat://add?id=\(Self.id)&onion=expyuzz4wqqyqhjn.onion")
        #expect(short.defects == [.notVersion3] && short.onion == nil && short.readers == [.ios, .iosNFC])
        let oddLetter = try card("sophaxchat://add?id=\(Self.id)&onion=1\(Self.onion.dropFirst())")
        #expect(oddLetter.defects == [.notVersion3] && oddLetter.readers == [.ios, .iosNFC])
        let bare = try card("sophaxchat://add?id=\(Self.id)&onion=.onion")
        #expect(bare.defects == [.notAnOnion] && bare.onion == nil)
        #expect(error("sophaxchat://add?id=\(Self.id)") == .missing(.onion))
        #expect(error("sophaxchat://add?id=\(Self.id)&onion=") == .missing(.onion))
    }

    @Test("has a peer id of 16, 32 or 64 hex digits")
    func ids() throws {
        for text in [Self.id, String(Self.id.prefix(16)), CheckIdentity.first.fingerprint] {
            #expect(try card("sophaxchat://add?id=\(text)&onion=\(Self.onion)").peerID == PeerID(text))
        }
        let capital = try card("sophaxchat://add?id=\(Self.id.uppercased())&onion=\(Self.onion)")
        #expect(capital.peerID == PeerID(Self.id) && capital.defects == [.capitalDigits])
        for bad in ["x", "3619e750a2dd52b", "3619e750a2dd52bag", "%00", "3619e750a2dd52b%0A", "%E2%80%AE"] {
            guard case .badPeerID = error("sophaxchat://add?id=\(bad)&onion=\(Self.onion)") else {
                Issue.record("\(bad)")
                continue
            }
        }
        #expect(error("sophaxchat://add?id=&onion=\(Self.onion)") == .missing(.id))
    }

    @Test("is found between line endings, and refused with anything odd inside")
    func surroundings() throws {
        let link = "sophaxchat://add?id=\(Self.id)&onion=\(Self.onion)"
        for text in [link + "\r\n", "\u{feff}" + link + "\n", " \t" + link, link + "#fragment", link + "&x=1&y"] {
            #expect(try card(text).peerID == PeerID(Self.id))
        }
        #expect(try card(link.replacing("add?", with: "add/?")).defects == [])
        #expect(error(link.replacing("&", with: " &")) == .forbiddenByte(0x20, offset: 52))
        #expect(error(link + "\u{0}") == .forbiddenByte(0, offset: link.utf8.count))
        #expect(error(link + "\r\n" + link) == .forbiddenByte(13, offset: link.utf8.count))
        #expect(error(link + "\u{202e}") == .forbiddenByte(0xe2, offset: link.utf8.count))
        #expect(error(link + "&x=%2") == .badPercent(offset: link.utf8.count + 3))
        #expect(error(link + "&x=%zz") == .badPercent(offset: link.utf8.count + 3))
        #expect(error(link + "&id=\(Self.id)") == .repeated(.id))
        #expect(error("") == .notALink && error("sophaxchat://") == .notALink)
        let longest = link + "&x=" + String(repeating: "y", count: ContactLink.longestText - link.utf8.count - 3)
        #expect(try card(longest).defects == [])
        #expect(error(longest + "y") == .tooLong(limit: 4096))
    }

    @Test("is not a code of SXPH, which nobody knows how to read")
    func codes() {
        #expect(error("SXPH-AB12-CD34") == .inviteCode)
        #expect(error(" sxph-ab12-cd34\n") == .inviteCode)
        #expect(ContactLink.isLikely(Array("SXPH-AB12-CD34".utf8)) && ContactLink.isLikely(Array("SOPHAXCHAT:x".utf8)))
        #expect(!ContactLink.isLikely(Array("12559 02102".utf8)) && !ContactLink.isLikely([]))
    }

    @Test("is read from a slice of a larger text, and every beginning of it is refused or read, never a trap")
    func prefixes() throws {
        let link = Array("sophaxchat://add?id=\(Self.id)&onion=\(Self.onion)&port=25519".utf8)
        #expect(try ContactLink(parsing: Array(([1, 2, 3] + link).dropFirst(3))) == ContactLink(parsing: link))
        for length in 0..<link.count { _ = try? ContactLink(parsing: Array(link[..<length])) }
        for position in link.indices {
            for byte in [0, 0x25, 0x26, 0x3d, 0x80, 0xff] as [UInt8] {
                var changed = link
                changed[position] = byte
                _ = try? ContactLink(parsing: changed)
            }
        }
    }
}
