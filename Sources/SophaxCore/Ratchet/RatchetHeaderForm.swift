/// What an encrypted header is bound to. App versions differ, and nothing in a message says which.
///
/// Format: SophaxChat 8.3.
public enum RatchetHeaderForm: Hashable, Sendable, CaseIterable {
    /// Nothing: versions from the first encrypted headers on.
    case unbound

    /// The text `SophaxChat_DR_Header_v2`: newer versions.
    case bound

    /// The header's associated data.
    public var associatedData: [UInt8] {
        switch self {
        case .unbound: []
        case .bound: Self.text
        }
    }

    /// The other form.
    var other: RatchetHeaderForm { self == .bound ? .unbound : .bound }

    private static let text = Array("SophaxChat_DR_Header_v2".utf8)
}
