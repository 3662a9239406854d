import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle

extension ItemReview {
    /// Looks at the private items of a document of a bundle, as an import of the same items does.
    mutating func add(_ document: ItemsDocument) throws(DocumentError) {
        let macKey = try document.item(.sessionMACKey)
        let staleMACKey = try document.item(.staleSessionMACKey) ?? macKey
        let signingKey = try document.item(.mlDSAPublic)?.publicValue
        for (index, item) in try document.listing().enumerated() {
            guard let account = ItemAccount(bytes: item.account), ![.signing, .dh, .username].contains(account) else {
                continue
            }
            add(
                account, try document.value(at: index), macKey: account.isStale ? staleMACKey : macKey,
                signingKey.map { [$0] } ?? [])
        }
    }

    /// Items named of each list; JSON names all.
    private static let shown = 20

    /// Keys that are none: what makes a bundle or keyring one that is not well. Others may be of a version that is not known.
    var hasUnfit: Bool { unusual.contains { Self.isUnfit($0.account, $0.problem) } }

    private static func isUnfit(_ account: ItemAccount, _ problem: ItemProblem) -> Bool {
        account.kind?.isUnfit(problem) == true
    }

    /// - Parameter noting: only keys that are none are marked as a risk, the others as a note.
    func write(to stream: TextStream, noting: Bool = true) {
        for (account, problem) in unusual.prefix(Self.shown) {
            let isRisk = !noting || Self.isUnfit(account, problem)
            let label = isRisk ? TerminalText(trusted: "AT RISK", .yellow) : TerminalText(trusted: "note   ", .dim)
            stream.line("  \(label)      \(account.bytes): \(problem.text); kept as it is")
        }
        let more = unusual.count - min(unusual.count, Self.shown)
        if more > 0 { stream.line("               and \(count: more) more; --json names all") }
        if !unknown.isEmpty {
            let names = unknown.prefix(5).map { "\($0.bytes)" as TerminalText }.joined(", ")
            let rest: TerminalText = unknown.count > 5 ? " and \(unknown.count - 5) more" : ""
            stream.line("  Unknown      \(count: unknown.count, "item") that no known app has: \(names)\(rest)")
        }
    }

    /// The members `unknown` and `unusual`.
    func writeMembers(to json: inout JSONWriter) {
        json.member("unknown") { json in json.array(unknown) { json, account in json.value(account.bytes) } }
        json.member("unusual") { json in
            json.array(unusual) { json, entry in
                json.object { json in
                    json.member("item", entry.account.bytes)
                    json.member("kind", entry.account.kind?.rawValue)
                    json.member("text", entry.problem.text.plain)
                }
            }
        }
    }
}

extension ItemsDocument {
    /// An item with its value; nil when there is none.
    fileprivate func item(_ account: ItemAccount) throws(DocumentError) -> PrivateItem? {
        guard let value = try value(of: account.text) else { return nil }
        return PrivateItem(account, value)
    }
}
