import CommandKit
import Keyring
import SophaxCore

/// What came out of a comparison, in words.
package struct SafetyVerdict: Report {
    let contact: Contact
    let comparison: SafetyComparison
    /// The contacts that the number was looked for among, for `.otherContact`.
    let others: [Contact]

    init(_ typed: TypedSafetyNumber, _ contact: Contact, _ pair: SafetyNumberPair, among contacts: [Contact]) {
        self.contact = contact
        others = contacts.filter { $0 != contact && $0.currentKey != nil }
        comparison = SafetyComparison(typed, with: pair, others: others.compactMap { $0.currentKey?.keys })
    }

    var status: ExitStatus {
        if case .same = comparison { return .success }
        return .finding
    }

    /// Stable word for scripts.
    var outcome: String {
        switch comparison {
        case .same: "same"
        case .own: "own-number"
        case .otherContact: "other-contact"
        case .different(.count(let found, let expected, _)): found < expected ? "too-short" : "too-long"
        case .different(.halvesSwapped): "halves-swapped"
        case .different(.groups): "groups-differ"
        case .different(.everything): "different"
        }
    }

    /// Lower case, no full stop.
    var sentence: TerminalText {
        let name: TerminalText = "\(contact.name.bytes)"
        switch comparison {
        case .same(let proof): return "this is \(proof.title(name))"
        case .own(let own): return "this is your own number (\(trusted: own.rawValue)), not one of \(name)"
        case .otherContact(let index, let own):
            return "this is the number of \(others[index].shortText) (\(trusted: own.rawValue)), not one of \(name)"
        case .different(.count(let found, let expected, let near)):
            let place: TerminalText =
                near.map {
                    found < expected
                        ? ": a digit is missing in the \(trusted: Self.place($0.group, of: $0.proof)) group"
                        : ": there is a digit too many in the \(trusted: Self.place($0.group, of: $0.proof)) group"
                } ?? ""
            let phone = expected == 30 ? "an iPhone" : "an Android phone"
            return "\(count: found, "digit"), where \(trusted: phone) shows \(expected)\(place)"
        case .different(.halvesSwapped(let proof)):
            return "the halves are swapped: read the second half first, it is \(proof.title(name))"
        case .different(.groups(let groups, let proof)):
            let list = groups.map { group in
                let place = Self.place(group.index, of: proof)
                return "the \(trusted: place) group is \(trusted: group.expected) here, \(trusted: group.found) there"
                    as TerminalText
            }
            return list.joined("; ")
        case .different(.everything): return "it is like none of the numbers of \(name)"
        }
    }

    /// What to do.
    var advice: TerminalText? {
        switch comparison {
        case .same: nil
        case .own:
            "it proves that the other phone has your key; now compare the number that it shows for \(contact.name.bytes)"
        case .otherContact: "two contacts may have been mixed up; look at whose phone shows it"
        case .different(.count), .different(.halvesSwapped): "read it again"
        case .different(.groups): "read it again before you worry; if it stays, do not trust this key"
        case .different(.everything): "if it is read rightly, somebody else holds this key: do not trust it"
        }
    }

    /// `first` to `last`.
    private static func place(_ index: Int, of proof: SafetyNumberPair.Proof) -> String {
        let words = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        ]
        return index < min(words.count, proof.groups - 1) ? words[index] : "last"
    }

    package func writeText(to stream: TextStream) {
        if case .same(let proof) = comparison {
            stream.line("\(trusted: "The same", .green): \(sentence).")
            if contact.currentKey?.mark == nil {
                stream.line("→ sxkey safety mark \(contact.shortID) --form \(trusted: proof.rawValue)")
            }
            return
        }
        let first: TerminalText
        switch comparison {
        case .own, .otherContact: first = TerminalText(trusted: "Not this contact", .yellow)
        default: first = TerminalText(trusted: "Different", .red)
        }
        let next: TerminalText = advice.map { " " + Self.capitalised($0) + "." } ?? ""
        stream.line("\(first): \(sentence).\(next)")
    }

    /// The advice as a sentence of its own.
    private static func capitalised(_ text: TerminalText) -> TerminalText {
        let plain = text.plain
        return TerminalText(trusted: plain.prefix(1).uppercased() + plain.dropFirst())
    }

    package func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", contact.name.bytes)
            json.member("fingerprint", contact.currentKey?.fingerprint.hex)
            json.member("outcome", outcome)
            json.member("same", status == .success)
            var form: String?
            switch comparison {
            case .same(let proof), .different(.halvesSwapped(let proof)), .different(.groups(_, let proof)):
                form = proof.rawValue
            case .own(let own), .otherContact(_, let own): form = own.rawValue
            case .different(.count(_, _, let near)): form = near?.proof.rawValue
            case .different(.everything): break
            }
            json.member("form", form)
            if case .different(.groups(let groups, _)) = comparison {
                json.member("groups") { json in
                    json.array(groups) { json, group in
                        json.object { json in
                            json.member("index", group.index)
                            json.member("expected", group.expected)
                            json.member("found", group.found)
                        }
                    }
                }
            }
            json.member("meaning", sentence.plain)
            json.member("exit", Int(status.rawValue))
        }
    }
}

extension SafetyNumberPair.Proof {
    /// Groups of five digits.
    var groups: Int {
        switch self {
        case .iosStored, .iosOwn: 6
        case .androidMine, .androidTheirs, .androidOwn: 12
        }
    }

    /// Whose number it is and which app shows it, inside a sentence.
    func title(_ name: TerminalText) -> TerminalText {
        switch self {
        case .iosStored:
            "the number that iPhones show beside \(name), and earlier apps to \(name) as their own (ios-v0)"
        case .iosOwn: "the number that later iPhone apps show to \(name) as their own (ios-v1)"
        case .androidMine: "the number that your Android phone shows beside \(name) (android-mine)"
        case .androidTheirs: "the number that the Android phone of \(name) shows beside you (android-theirs)"
        case .androidOwn: "the number that the Android phone of \(name) shows as their own (android-own)"
        }
    }
}
