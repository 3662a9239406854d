import JSONCoding

/// Other people's messages that an app holds until their recipients come: `stored_forward_items.enc`.
///
/// Every item is read for itself, so that one that is damaged hides none of the others; what cannot be read is written again
/// as it stood. Format: SophaxChat 6.1.2.
public struct HeldMessages: Sendable {
    private var elements: [StoredElement<StoreAndForwardPayload>] = []

    /// Holds nothing.
    public init() {}

    /// Reads the decrypted JSON.
    /// - Throws: `.tooLarge` above `WireLimits.queueBytes`; `.notJSON`; `.field` with more items than
    ///   `WireLimits.heldMessages`.
    public init(json: [UInt8]) throws(FormatError) {
        let buffer = try JSONElements.buffer(of: json)
        elements = try JSONElements(buffer, 0..<buffer.count, name: "", limit: WireLimits.heldMessages)
            .read(StoreAndForwardPayload.init)
    }

    /// In the order of the text: a message, or what is wrong with it.
    public var items: [Result<StoreAndForwardPayload, FormatError>] { elements.map(\.value) }
}

// MARK: - Changing and writing

extension HeldMessages {
    /// Takes a message that somebody asks to hold, for 48 hours at most, whatever it says itself.
    /// - Parameter now: seconds since 2001.
    /// - Throws: `.full` at `WireLimits.keptHeldMessages` in all or `WireLimits.keptHeldPerPeer` for the recipient, under ids
    ///   of any length.
    public mutating func append(_ payload: StoreAndForwardPayload, at now: Double) throws(QueueError) {
        guard elements.count < WireLimits.keptHeldMessages else { throw .full(limit: WireLimits.keptHeldMessages) }
        let recipient = payload.targetPeerID
        let held = elements.count { element in
            guard let other = try? element.value.get() else { return false }
            return other.targetPeerID.isSamePerson(as: recipient)
        }
        guard held < WireLimits.keptHeldPerPeer else { throw .full(limit: WireLimits.keptHeldPerPeer) }
        var kept = payload
        kept.expiresAt = payload.expiry(receivedAt: now)
        elements.append(StoredElement(kept))
    }

    /// Takes out what is held for somebody who has come, under an id of any length.
    public mutating func takeAll(for recipient: PeerID) -> [StoreAndForwardPayload] {
        take { $0.targetPeerID.isSamePerson(as: recipient) }
    }

    /// Drops what nobody has come for in time. What cannot be read stays.
    /// - Returns: how many there were.
    @discardableResult
    public mutating func removeExpired(at now: Double) -> Int {
        take { $0.expiresAt.hasPassed(at: now) }.count
    }

    private mutating func take(where isChosen: (StoreAndForwardPayload) -> Bool) -> [StoreAndForwardPayload] {
        var taken: [StoreAndForwardPayload] = []
        elements.removeAll { element in
            guard let payload = try? element.value.get(), isChosen(payload) else { return false }
            taken.append(payload)
            return true
        }
        return taken
    }

    /// The JSON as the apps' decoder reads it; what could not be read stands in it as it stood.
    public var json: [UInt8] { JSONElements.text(of: elements) }
}
