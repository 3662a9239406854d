import CommandKit
import CryptoPrimitives
import SophaxCore

/// A printed share: what it is, whose, how to keep it and how to use it, for somebody who has never heard of sxkey.
struct SharePage {
    let owner: IdentityShare.Owner
    /// Whom it is sealed for.
    let holder: IdentityShare.Owner?
    let index: Int
    let threshold: Int
    let total: Int
    /// The id of the set, or the first words of all its shares.
    let set: String
    /// The day on which it was made.
    let day: String
    /// The name of the file with the share, which lies beside the page.
    let file: String
    let share: ShareText

    /// Columns of a page of text.
    private static let width = 78
    /// Bytes of JSON on a line.
    private static let fold = 64

    // MARK: - What both forms say

    var name: String { Self.shown(owner.name) }
    var holderName: String? { holder.map { Self.shown($0.name) } }
    var peerID: String { PeerID(owner.fingerprint, form: .hex32).text }
    var title: String { "Share \(index) of \(total) of an identity" }

    /// Text from elsewhere with what would not print in escapes.
    private static func shown(_ text: [UInt8]) -> String { ("\(text)" as TerminalText).plain }

    var facts: [(what: String, text: String)] {
        var facts = [
            ("Identity", name), ("Peer id", peerID), ("Fingerprint", owner.fingerprint.hex),
            ("Share", "\(index) of \(total), any \(threshold) of which give the identity back"), ("Set", set),
            ("Made", "\(day), by sxkey \(Version.number)"),
        ]
        if let holderName { facts.insert(("Holder", holderName), at: 4) }
        return facts
    }

    var meaning: String {
        let first =
            "This is one of \(total) shares of the private keys of \(name) in SophaxChat. Any \(threshold) of them together "
            + "give the keys back. \(threshold == 2 ? "A single one does" : "\(threshold - 1) or fewer do") not. Only the two identity "
            + "keys are shared: messages, contacts and other keys need a backup. "
            + (share.isWords
                ? "The words are SLIP-39 without a passphrase, of 64 bytes: the Ed25519 seed and the X25519 private key."
                : "It is JSON, specified in the manual page sxkey-formats(5).")
        guard let holderName else { return first }
        return first
            + " This one is encrypted: only \(holderName) can open it, with the identity of that day: if that is lost or "
            + "replaced, tell \(name)."
    }

    var keeping: [String] {
        [
            "Keep it apart from the other shares. Whoever has \(threshold) of them can read and write in the name of \(name).",
            holder == nil
                ? "Keep it on paper or on a disk that you trust: no photograph, no mail, no cloud."
                : "It may be sent on any way while it is encrypted; once opened it is as secret as the keys.",
            "Give it to nobody but \(name), and only when you have seen or heard for yourself who asks.",
            "If you lose it, or somebody else may have seen it, tell \(name).",
        ]
    }

    var steps: [(text: String, command: String?)] {
        let combine = "sxkey identity combine \(Self.names(threshold)) --expect \(peerID)"
        let end: [(String, String?)] = [
            (
                "On a computer that is trusted and best without a network, with \(threshold) of the \(total) shares, \(name) runs the "
                    + "program sxkey. Where it was never used before, first",
                "sxkey keyring init"
            ),
            ("Then", combine),
            (
                "sxkey says whose identity came out, and takes it into the keyring only if it is the one with the peer id above.",
                nil
            ),
        ]
        guard let holderName else {
            let how =
                share.isWords
                ? "\(name) puts each share into a file of its own: the words in their order, typed or scanned from the QR code."
                : "\(name) puts each share into a file of its own: the text of the QR code, or the lines from BEGIN to END."
            return [(how, nil)] + end
        }
        return [
            (
                "\(holderName) opens the share with the file that came with this page, or with a file of the texts of all QR codes.",
                "sxkey identity share \(file) --out share-\(index).json"
            ),
            ("\(holderName) hands share-\(index).json, which is not encrypted any more, to \(name) alone.", nil),
        ] + end
    }

    private static func names(_ count: Int) -> String {
        count > 4 ? "share-*.txt" : (0..<count).map { "share-\(["a", "b", "c", "d"][$0]).txt" }.joined(separator: " ")
    }

    // MARK: - As text

    func text() throws(SecretMemoryError) -> SecretBytes {
        var page = try WipedText()
        try page.add(title.uppercased() + "\n\n")
        for (what, text) in facts {
            try page.add("  " + what + String(repeating: " ", count: 13 - what.utf8.count) + text + "\n")
        }
        try page.add("\nWHAT THIS IS\n\n" + Self.wrapped(meaning, first: "  ", next: "  "))
        try page.add("\nHOW TO KEEP IT\n\n")
        for line in keeping { try page.add(Self.wrapped(line, first: "  - ", next: "    ")) }
        try page.add("\nHOW TO USE IT\n\n")
        for (number, step) in steps.enumerated() {
            try page.add(Self.wrapped(step.text, first: "  \(number + 1). ", next: "     "))
            if let command = step.command { try page.add("\n       \(command)\n\n") }
        }
        try page.add("\nTHE SHARE\n\n" + String(decoding: ShareTextCollector.begin, as: UTF8.self) + "\n")
        if share.isWords {
            try addWords(to: &page)
        } else {
            for line in Self.folds(of: share.text) {
                try share.text.withSpan { (text) throws(SecretMemoryError) in try page.add(text.extracting(line)) }
                try page.add("\n")
            }
        }
        try page.add(String(decoding: ShareTextCollector.end, as: UTF8.self) + "\n")
        return try page.finish()
    }

    /// Four numbered words on a line.
    private func addWords(to page: inout WipedText) throws(SecretMemoryError) {
        let words = Self.words(of: share.text)
        for (number, word) in words.enumerated() {
            let digits = String(number + 1)
            try page.add(String(repeating: " ", count: 5 - digits.utf8.count) + digits + " ")
            try share.text.withSpan { (text) throws(SecretMemoryError) in try page.add(text.extracting(word)) }
            let isLast = number % 4 == 3 || number == words.count - 1
            try page.add(isLast ? "\n" : String(repeating: " ", count: max(1, 11 - word.count)))
        }
    }

    /// Where the words of a text stand.
    static func words(of text: borrowing SecretBytes) -> [Range<Int>] {
        text.withSpan { text in
            var words: [Range<Int>] = []
            var start = 0
            for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: " ") {
                if index > start { words.append(start..<index) }
                start = index + 1
            }
            return words
        }
    }

    /// Lines that a text without line ends is cut into; none begins or ends with a blank.
    static func folds(of text: borrowing SecretBytes) -> [Range<Int>] {
        text.withSpan { text in
            var lines: [Range<Int>] = []
            var start = 0
            while text.count - start > fold {
                var end = start + fold
                while end > start + 1, text[end - 1] == 0x20 || text[end] == 0x20 { end -= 1 }
                lines.append(start..<end)
                start = end
            }
            lines.append(start..<text.count)
            return lines
        }
    }

    private static func wrapped(_ text: String, first: String, next: String) -> String {
        let lines = Paragraph.wrap(text, width: width, indent: next.utf8.count)
        return first + String(lines.joined(separator: "\n").dropFirst(next.utf8.count)) + "\n"
    }
}
