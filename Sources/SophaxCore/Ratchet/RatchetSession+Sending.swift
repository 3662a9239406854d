import CryptoPrimitives

extension RatchetSession {
    /// Seals the next message.
    ///
    /// - Parameters:
    ///   - plaintext: any bytes; the apps send the JSON of a content, at most 64 KiB of text.
    ///   - ad: what binds the message to both ends, see `AssociatedData`; the receiver needs the same.
    ///   - headerForm: what the header is bound to; nil is the form that the peer used last, and the newest before that.
    /// - Throws: `.noSendingChain`, `.readOnlyVersion`, `.counterExhausted`, `.malformedMessage` for a text beyond
    ///   `RatchetMessage.longestBody`, `.libraryFailure`.
    public mutating func encrypt(
        _ plaintext: Span<UInt8>, ad: [UInt8], headerForm: RatchetHeaderForm? = nil
    ) throws(RatchetError) -> RatchetMessage {
        guard version == .encryptedHeaders else { throw .readOnlyVersion }
        guard numbers.keys.contains(.sendingChain), numbers.keys.contains(.sendingHeader) else { throw .noSendingChain }
        // The counter of the state that is written afterwards must be one that the app reads.
        guard numbers.sending < RatchetNumbers.counterEnd - 1 else { throw .counterExhausted }
        guard plaintext.count <= RatchetMessage.longestBody - AEADSize.overhead else { throw .malformedMessage }

        let form = headerForm ?? lastSeenHeaderForm ?? .bound
        var header = numbers.headerBeginning
        header += Array(String(numbers.sending).utf8)
        header.append(UInt8(ascii: "}"))
        let nonces = Random.bytes(2 * AEADSize.nonce)
        let sealedHeader = try seal(
            header.span, slot(.sendingHeader), nonces.span.extracting(first: AEADSize.nonce),
            form.associatedData)

        let message = RatchetSlots.messageKey
        keys.setCode(message, of: RatchetInfo.message, key: slot(.sendingChain))
        let body: [UInt8]
        do throws(RatchetError) {
            body = try seal(plaintext, message, nonces.span.extracting(last: AEADSize.nonce), ad + sealedHeader)
        } catch {
            keys.wipe(message..<message + 1)
            throw error
        }
        // Nothing fails from here on.
        keys.setCode(slot(.sendingChain), of: RatchetInfo.chain, key: slot(.sendingChain))
        keys.wipe(message..<message + 1)
        numbers.sending += 1
        return RatchetMessage(encryptedHeader: sealedHeader, ciphertext: body)
    }

    /// Seals a text in guarded memory, such as a content that hands out a group key; see `encrypt(_:ad:headerForm:)` for one
    /// in plain memory.
    public mutating func encrypt(
        _ plaintext: borrowing SecretBytes, ad: [UInt8], headerForm: RatchetHeaderForm? = nil
    ) throws(RatchetError) -> RatchetMessage {
        try plaintext.withSpan { text throws(RatchetError) in try encrypt(text, ad: ad, headerForm: headerForm) }
    }

    private func seal(
        _ text: Span<UInt8>, _ key: Int, _ nonce: Span<UInt8>, _ data: [UInt8]
    ) throws(RatchetError) -> [UInt8] {
        var box = [UInt8](repeating: 0, count: text.count + AEADSize.overhead)
        do throws(AEADError) {
            try keys.withKey(key) { key throws(AEADError) in
                var target = box.mutableSpan
                try ChaChaPoly.seal(text, key: key, nonce: nonce, authenticating: data.span, into: &target)
            }
        } catch {
            throw .libraryFailure
        }
        return box
    }
}
