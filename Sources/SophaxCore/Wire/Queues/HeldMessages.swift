import JSONCoding

/// Other people's messages that an app holds until their recipients come: `stored_forward_items.enc`.
///
/// Every item is read for itself, so that one that is damaged hides none of the others. Format: SophaxChat 6.1.2.
public struct HeldMessages: Sendable {
    /// In the order of the text: a message, or what is wrong with it.
    public let items: [Result<StoreAndForwardPayload, FormatError>]

    /// Reads the decrypted JSON.
    /// - Throws: `.tooLarge` above `WireLimits.queueBytes`; `.notJSON`; `.field` with more items than
    ///   `WireLimits.heldMessages`.
    public init(json: [UInt8]) throws(FormatError) {
        guard json.count <= WireLimits.queueBytes else {
            throw .tooLarge(found: json.count, ceiling: WireLimits.queueBytes)
        }
        let buffer: PlaintextBuffer
        do throws(OutOfMemory) {
            buffer = try PlaintextBuffer(copying: json)
        } catch {
            throw .outOfMemory
        }
        items = try JSONElements(buffer, 0..<buffer.count, name: "", limit: WireLimits.heldMessages)
            .read(StoreAndForwardPayload.init)
    }
}
