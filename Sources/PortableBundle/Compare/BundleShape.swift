import SophaxFiles

/// Which kind of thing a side of a comparison is, and with that what it can hold.
package enum BundleShape: Hashable, Sendable {
    /// sxkey's own bundle, which can hold everything.
    case portable
    case app(BundleKind)
    /// A message store with its attachments.
    case store

    /// What people call it, with its article.
    package var title: String {
        switch self {
        case .portable: "an sxkey bundle"
        case .app(.identity): "an identity export"
        case .app(.backup): "a message backup"
        case .app(.fullExport): "a full export"
        case .app(.android): "an Android backup"
        case .store: "a message store"
        }
    }

    /// Whether there is room for anything of this part. Format: SophaxChat 3.2.3, 3.3.5, 3.4, 3.5.
    package func holds(_ part: BundlePart) -> Bool {
        switch self {
        case .portable: true
        case .app(.identity): part == .identity
        case .app(.backup), .app(.android): part == .contacts || part == .conversations
        case .app(.fullExport): [.identity, .contacts, .conversations].contains(part)
        case .store: [.conversations, .blobs, .attachments].contains(part)
        }
    }

    /// The items of an identity that it has room for, nil for all.
    var identityAccounts: Set<ByteText>? {
        switch self {
        case .app: ["identity.signing", "identity.dh", "user.username"]
        case .portable, .store: nil
        }
    }

    /// Contacts are those that the app knows: their keys and names, no verified marks and no history.
    var holdsPeersOnly: Bool { self != .portable }

    /// The app whose messages it holds, nil for either.
    var platform: MessagePlatform? {
        switch self {
        case .portable: nil
        case .app(.android): .android
        case .app, .store: .ios
        }
    }
}

extension ByteText: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}
