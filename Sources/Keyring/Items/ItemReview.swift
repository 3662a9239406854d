import CryptoPrimitives

/// What the items of a file are: which no app is known to have, and which are not what an app reads under their names.
/// They are kept all the same, byte for byte.
package struct ItemReview: Sendable {
    /// Items that were looked at.
    package private(set) var count = 0
    /// Of a kind that no known version has, in the order of the items.
    package private(set) var unknown: [ItemAccount] = []
    /// Not what their kind looks like.
    package private(set) var unusual: [(account: ItemAccount, problem: ItemProblem)] = []

    package init() {}

    package init(_ items: [PrivateItem]) {
        let macKey = items.first { $0.account == .sessionMACKey }
        let staleMACKey = items.first { $0.account == .staleSessionMACKey } ?? macKey
        let signingKeys = items.filter { $0.account == .mlDSAPublic }.map(\.publicValue)
        for item in items {
            add(
                item.account, item.value, macKey: item.account.isStale ? staleMACKey : macKey,
                signingKeys)
        }
    }

    /// - Parameters:
    ///   - macKey: the item with the key for the HMAC of sessions, where there is one.
    ///   - signingKeys: ML-DSA public keys that are the identity's own.
    package mutating func add(
        _ account: ItemAccount, _ value: borrowing SecretBytes, macKey: PrivateItem?, _ signingKeys: [[UInt8]]
    ) {
        count += 1
        if account.kind == nil { unknown.append(account) }
        if let problem = ItemInspection.problem(
            of: value, as: account, macKey: macKey, signingKeys: signingKeys)
        {
            unusual.append((account, problem))
        }
    }
}
