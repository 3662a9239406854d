// Sessions of the first app versions (v0), whose headers go in clear: they are read, to open what was kept from them.
// Format: SophaxChat 4.6, 8.3.

extension RatchetSession {
    /// What a header in clear means: the chain is the one of its ratchet key.
    func stepOfPlainHeader(_ header: RatchetHeader) throws(RatchetError) -> ReceivingStep {
        let isNew = header.senderRatchetKey != numbers.remoteKey || !numbers.keys.contains(.receivingChain)
        return try step(header, filedIn: bundle(of: header.senderRatchetKey), chain: .chain(isNew: isNew), form: nil)
    }

    /// The bundle of a ratchet key of the peer.
    func bundle(of ratchetKey: [UInt8]) -> Int? {
        skipped.bundles.firstIndex { $0.label == .ratchetKey(ratchetKey) }
    }
}
