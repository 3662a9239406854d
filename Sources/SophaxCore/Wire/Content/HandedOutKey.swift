import CryptoPrimitives

/// JSON with the keys of a group in it, which a content hands out, in guarded memory.
///
/// Copies of a content share it; it is wiped with the last of them.
public final class HandedOutKey: Sendable {
    /// Of a `SenderKeyDistribution` or `GroupInvite`.
    public let json: SecretBytes

    /// Takes ownership.
    public init(_ json: consuming SecretBytes) {
        self.json = json
    }
}

extension HandedOutKey: Hashable {
    /// In constant time for secrets of the same length.
    public static func == (left: HandedOutKey, right: HandedOutKey) -> Bool { left.json.isEqual(to: right.json) }

    /// Tells the length only.
    public func hash(into hasher: inout Hasher) { hasher.combine(json.count) }
}
