import Testing

@testable import SophaxCore

@Suite("An invite link")
struct InviteLinkTests {
    // Base64 of the check keys by Python; the first signing key has "+" and "/" in it.
    private static let signing = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"
    private static let dh = "NYBy1jZYgNGu6jKa35EhODhR7SGijjt16WXQ0s0WYlQ"
    private static let id = "3619e750a2dd52ba978807b2a00df56d"

    private func invite(_ text: String) throws -> InviteLink {
        guard case .invite(let link) = try ContactLink(parsing: Array(text.utf8)) else {
            throw ContactLinkError.notALink
        }
        return link
    }

    private func error(_ text: String) -> ContactLinkError? {
        #expect(throws: ContactLinkError.self) { try ContactLink(parsing: Array(text.utf8)) }
    }

    private func link(
        pid: String = id, name: String = "QWxpY2U%3D", sk: String = signing + "%3D", dk: String = dh + "%3D"
    ) -> String {
        "sophaxchat://meet?pid=\(pid)&name=\(name)&sk=\(sk)&dk=\(dk)"
    }

    @Test("is written as Foundation's query items write it, and read back")
    func written() throws {
        let keys = try CheckIdentity.first.publicKeys()
        let invite = InviteLink(of: keys, name: "Alice", form: .hex32)
        #expect(invite.text == link())
        #expect(try self.invite(invite.text) == invite)
        for name in ["", "A", "Ana", "Zoë", "Анна", "👩‍👩‍👧 family", "a+b/c=d&e?f#g%41", "fo?bar>~~~"] {
            let written = InviteLink(of: keys, name: name, form: .hex16)
            #expect(try Array(self.invite(written.text).name.utf8) == Array(name.utf8))
            #expect(!written.text.dropFirst(60).contains(" "))
        }
    }

    @Test("keeps + as it is, and takes every spelling of +, / and =")
    func plus() throws {
        // 62 and 63 give "+" and "/" in base64; the name is not checked for anything that matters here.
        let keys = try CheckIdentity.first.publicKeys()
        let named = InviteLink(of: keys, name: "~~~???>>>", form: .hex32)
        #expect(named.text.contains("name=fn5+Pz8/Pj4+&"))
        #expect(try invite(named.text).name == "~~~???>>>")
        #expect(try invite(named.text.replacing("+", with: "%2B").replacing("/Pj", with: "%2fPj")).name == "~~~???>>>")
        #expect(try invite(link().replacing("%3D", with: "=")).keys == keys)
        #expect(try invite(link().replacing("%3D", with: "%3d")).defects == [])
        #expect(error(named.text.replacing("+", with: "%20")) == .notBase64(.name))
        #expect(error(named.text.replacing("+", with: "-")) == .notBase64(.name))
        #expect(error(named.text.replacing("fn5+", with: "fn5 ")) == .forbiddenByte(0x20, offset: 63))
    }

    @Test("without its padding is read with a defect, which the app would not")
    func padding() throws {
        let bare = try invite(link(sk: Self.signing, dk: Self.dh))
        #expect(bare.defects == [.padding] && bare.readers == [])
        #expect(bare.keys == (try CheckIdentity.first.publicKeys()))
    }

    @Test("whose pid is not the hash of its keys says so")
    func mismatch() throws {
        let other = try invite(link(pid: "08c4cab788bd5f92"))
        #expect(other.defects == [.idMismatch] && other.readers == [.ios, .iosNFC])
        #expect(other.peerID == PeerID("08c4cab788bd5f92"))
        #expect(try invite(link(pid: CheckIdentity.first.fingerprint)).defects == [])
        #expect(try invite(link(pid: Self.id.uppercased())).defects == [.capitalDigits])
        #expect(error(link(pid: "bob")) == .badPeerID(Array("bob".utf8)))
    }

    @Test("needs all four, and keys that are keys")
    func keys() throws {
        for (part, member) in [("pid", ContactLinkError.Member.pid), ("name", .name), ("sk", .sk), ("dk", .dk)] {
            #expect(error(link().replacing(part + "=", with: "x=")) == .missing(member))
        }
        #expect(error(link(sk: "QQ==")) == .keyLength(.sk, found: 1))
        #expect(error(link(dk: "QUFB")) == .keyLength(.dk, found: 3))
        #expect(error(link(sk: "*")) == .notBase64(.sk))
        let zeros = String(repeating: "A", count: 43) + "%3D"
        #expect(error(link(sk: zeros)) == .invalidKey(.sk))
        #expect(error(link(dk: zeros)) == .invalidKey(.dk))
        #expect(error(link() + "&sk=x") == .repeated(.sk))
    }

    @Test("has a name of at most 64 characters, in which hidden characters are told")
    func names() throws {
        let keys = try CheckIdentity.first.publicKeys()
        func link(_ name: String) -> String { InviteLink(of: keys, name: name, form: .hex32).text }
        // 64 families of 25 bytes each are 64 characters.
        #expect(try invite(link(String(repeating: "👨‍👩‍👧‍👦", count: 64))).defects == [])
        #expect(error(link(String(repeating: "a", count: 65))) == .nameTooLong(characters: 65))
        for name in ["a\u{0}b", "a\nb", "\u{9b}31m", "\u{1b}]0;x\u{7}", "\u{202e}evil", "a\u{2066}", "a\u{feff}"] {
            let read = try invite(link(name))
            #expect(read.defects == [.hiddenCharacters], "\(name.debugDescription)")
            #expect(Array(read.name.utf8) == Array(name.utf8))
        }
        #expect(error(self.link(name: "gA%3D%3D")) == .nameNotUTF8)
        #expect(try invite(self.link(name: "")).name == "")
    }
}
