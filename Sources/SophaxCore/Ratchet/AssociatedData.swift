/// What binds the messages of a session to its two ends: both peer ids, under the tag of every body.
///
/// App versions disagree about the length of a peer id, and Android has no associated data at all, so who opens a message
/// tries what is possible. Format: SophaxChat 8.4.
public enum AssociatedData {
    private static let suffix = Array("SophaxChat_v1".utf8)

    /// The two ids, the smaller one (by bytes) first, and `SophaxChat_v1`, without anything between them.
    public static func between(_ a: PeerID, _ b: PeerID) -> [UInt8] {
        let isSorted = !b.bytes.lexicographicallyPrecedes(a.bytes)
        return (isSorted ? a.bytes + b.bytes : b.bytes + a.bytes) + suffix
    }

    /// The associated data that the versions of the iOS app have used between two identities: with ids of 32 digits, then
    /// of 16.
    public static func candidates(_ a: Fingerprint, _ b: Fingerprint) -> [[UInt8]] {
        [PeerID.Form.hex32, .hex16].map { form in between(PeerID(a, form: form), PeerID(b, form: form)) }
    }
}
