import SophaxFiles

/// Which entries of a bundle somebody wants as files.
package struct EntryChoice: Sendable {
    /// Names of entries, of parts (`attachments`), or ids; empty for all.
    private let words: [ByteText]
    /// Whether private keys may be written in clear.
    private let reveals: Bool

    package init(words: [ByteText], reveals: Bool) {
        self.words = words
        self.reveals = reveals
    }

    /// What is done with an entry.
    package enum Verdict: Hashable, Sendable {
        case taken
        /// Nobody asked for it.
        case notAsked
        /// It holds private keys, and nobody said that they may be shown.
        case secret
    }

    package func judge(_ entry: ManifestEntry) -> Verdict {
        guard words.isEmpty || words.contains(where: { Self.means($0, entry) }) else { return .notAsked }
        return entry.content.holdsPrivateKeys && !reveals ? .secret : .taken
    }

    /// The manifest is a file as well, when everything is.
    package var takesManifest: Bool { words.isEmpty || words.contains(ByteText(Manifest.entryName)) }

    /// Words that name nothing in the bundle.
    package func unknown(in manifest: Manifest) -> [ByteText] {
        words.filter { word in
            word != ByteText(Manifest.entryName) && !manifest.entries.contains { Self.means(word, $0) }
        }
    }

    private static func means(_ word: ByteText, _ entry: ManifestEntry) -> Bool {
        if word == ByteText(entry.name) || word == entry.id { return true }
        guard let part = entry.content.part else { return false }
        return word == ByteText(part.rawValue) || word == ByteText(part.rawValue + "/")
    }
}

extension ManifestEntry.Content {
    /// Private keys are in it, or may be. What is known of people is for its owner's eyes, and no key.
    package var holdsPrivateKeys: Bool {
        switch part {
        case .identity, .preKeys, .groups, .sessions, nil: true
        case .contacts, .conversations, .blobs, .attachments: false
        }
    }
}
