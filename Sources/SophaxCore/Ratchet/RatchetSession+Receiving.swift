import CryptoPrimitives

extension RatchetSession {
    /// Opens a message: the next one, one that others have overtaken, or the first of a new chain.
    ///
    /// - Parameters:
    ///   - ad: what may bind the message to both ends, the likeliest first: see `AssociatedData.candidates`. Which one fitted
    ///     is in `fittedAssociatedData` afterwards.
    /// - Returns: the plaintext, in plain memory. A content that hands out a group key has that key in it: `decryptSecret`.
    /// - Throws: any `RatchetError` but `.noSendingChain` and `.readOnlyVersion`; the session is then as it was before.
    public mutating func decrypt(_ message: RatchetMessage, ad: [[UInt8]]) throws(RatchetError) -> [UInt8] {
        try decrypt(message, ad: ad, random: nil)
    }

    /// The same with a source of the next ratchet key that a test has chosen; nil is the system's.
    package mutating func decrypt(
        _ message: RatchetMessage, ad: [[UInt8]], random: RandomSource?
    ) throws(RatchetError) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: try plaintextLength(of: message))
        var target = text.mutableSpan
        try open(message, ad: ad, random: random, into: &target)
        return text
    }

    /// Opens a message as `decrypt` does, into guarded memory: for contents that hand out keys, or when that is not known yet.
    public mutating func decryptSecret(_ message: RatchetMessage, ad: [[UInt8]]) throws(RatchetError) -> SecretBytes {
        let length = try plaintextLength(of: message)
        var text: SecretBytes
        do throws(SecretMemoryError) { text = try SecretBytes(count: length) } catch { throw .memory(error) }
        try text.withMutableSpan { target throws(RatchetError) in
            try open(message, ad: ad, random: nil, into: &target)
        }
        return text
    }

    /// How long the text of a message is, if it opens.
    private func plaintextLength(of message: RatchetMessage) throws(RatchetError) -> Int {
        let length = message.ciphertext.count
        let longest = version == .plainHeaders ? RatchetMessage.longestPlainBody : RatchetMessage.longestBody
        guard length >= AEADSize.overhead, length <= longest else { throw .malformedMessage }
        return length - AEADSize.overhead
    }

    /// Opens a message into `target`, which has exactly the length of its text.
    private mutating func open(
        _ message: RatchetMessage, ad: [[UInt8]], random: RandomSource?, into target: inout MutableSpan<UInt8>
    ) throws(RatchetError) {
        let step: ReceivingStep
        switch (version, message.plainHeader) {
        case (.encryptedHeaders, nil): step = try stepOfEncryptedHeader(message)
        case (.plainHeaders, let header?): step = try stepOfPlainHeader(header)
        default: throw .otherVersion
        }
        switch step.key {
        case .skipped(let bundle, let place):
            try openSkipped(message, step, bundle: bundle, place: place, ad: ad, into: &target)
        case .chain(let isNew):
            try openNext(message, step, isNewChain: isNew, ad: ad, random: random, into: &target)
        }
    }

    /// What opening a message takes.
    struct ReceivingStep {
        enum Key: Equatable {
            /// A key that was put aside: the one at `place` in `bundle`.
            case skipped(bundle: Int, place: Int)
            /// A key of the receiving chain, which is new when the peer has a new ratchet key.
            case chain(isNew: Bool)
        }

        let header: RatchetHeader
        let key: Key
        /// Nil in v0.
        var form: RatchetHeaderForm?
    }

    /// The key of a chain, after those that were put aside have been looked at.
    func step(
        _ header: RatchetHeader, filedIn bundle: Int?, chain: ReceivingStep.Key?, form: RatchetHeaderForm?
    ) throws(RatchetError) -> ReceivingStep {
        let number = header.messageNumber
        if let bundle, let place = skipped.bundles[bundle].place(of: number) {
            return ReceivingStep(header: header, key: .skipped(bundle: bundle, place: place), form: form)
        }
        guard let chain, chain == .chain(isNew: true) || number >= numbers.receiving else {
            throw .alreadyReceived(messageNumber: number)
        }
        return ReceivingStep(header: header, key: chain, form: form)
    }
}

// MARK: - Headers

extension RatchetSession {
    /// Where a header key lies, and what a header that it opens means.
    private struct HeaderKey {
        let slot: Int
        let bundle: Int?
        let chain: ReceivingStep.Key?
    }

    private func stepOfEncryptedHeader(_ message: RatchetMessage) throws(RatchetError) -> ReceivingStep {
        let box = message.encryptedHeader
        guard box.count >= AEADSize.overhead, box.count <= RatchetHeader.longestText + AEADSize.overhead else {
            throw .malformedMessage
        }
        var candidates: [HeaderKey] = []
        if numbers.keys.contains(.receivingHeader) {
            candidates.append(HeaderKey(slot: slot(.receivingHeader), bundle: nil, chain: .chain(isNew: false)))
        }
        if numbers.keys.contains(.nextReceivingHeader) {
            candidates.append(HeaderKey(slot: slot(.nextReceivingHeader), bundle: nil, chain: .chain(isNew: true)))
        }
        for (index, bundle) in skipped.bundles.enumerated() {
            guard case .headerKey(let slot) = bundle.label else { continue }
            candidates.append(HeaderKey(slot: slot, bundle: index, chain: nil))
        }
        var text = [UInt8](repeating: 0, count: box.count - AEADSize.overhead)
        let first = lastSeenHeaderForm ?? .bound
        for form in [first, first.other] {
            for candidate in candidates where opens(box, candidate.slot, form, &text) {
                guard let header = RatchetHeader(text: text) else { throw .malformedHeader }
                let bundle = candidate.bundle ?? self.bundle(filedUnder: candidate.slot)
                return try step(header, filedIn: bundle, chain: candidate.chain, form: form)
            }
        }
        throw .noHeaderKeyFits
    }

    private func opens(_ box: [UInt8], _ slot: Int, _ form: RatchetHeaderForm, _ text: inout [UInt8]) -> Bool {
        do throws(AEADError) {
            try keys.withKey(slot) { key throws(AEADError) in
                var target = text.mutableSpan
                try ChaChaPoly.open(box.span, key: key, authenticating: form.associatedData.span, into: &target)
            }
            return true
        } catch {
            return false
        }
    }

    /// The bundle that is filed under the header key in `slot`.
    func bundle(filedUnder slot: Int) -> Int? {
        for (index, bundle) in skipped.bundles.enumerated() {
            if case .headerKey(let other) = bundle.label, keys.areEqual(slot, other) { return index }
        }
        return nil
    }

    /// The bundle that skipped keys of the receiving chain in use belong to, if there is one yet.
    func bundleOfReceivingChain() -> Int? {
        guard version == .encryptedHeaders else { return numbers.remoteKey.flatMap { bundle(of: $0) } }
        return numbers.keys.contains(.receivingHeader) ? bundle(filedUnder: slot(.receivingHeader)) : nil
    }
}

// MARK: - Keys that were put aside

extension RatchetSession {
    private mutating func openSkipped(
        _ message: RatchetMessage, _ step: ReceivingStep, bundle: Int, place: Int, ad: [[UInt8]],
        into target: inout MutableSpan<UInt8>
    ) throws(RatchetError) {
        let slot = skipped.bundles[bundle].entries[place].slot
        try openBody(message, slot, ad, into: &target)
        for slot in skipped.remove(at: place, of: bundle) { forget(slot) }
        // A late message of an old chain says nothing of what the peer's app writes by now.
        lastSeenHeaderForm = lastSeenHeaderForm ?? step.form
    }

    /// Gives up all keys of messages that have not come: those messages will never open. Without it the oldest keys go when
    /// there would be more than 1,000, or keys of more than 50 chains.
    public mutating func removeSkippedKeys() {
        for slot in skipped.removeAll() { forget(slot) }
    }

    /// Wipes the place of a key that is given up, and what stood beside it.
    mutating func forget(_ slot: Int) {
        keys.wipe(slot..<slot + 1)
        if !unknownParts.isEmpty { unknownParts[.skipped(slot: slot)] = nil }
    }

    /// Opens the body with the key in `slot` and the associated data that fits. Changes nothing but what says which fitted.
    mutating func openBody(
        _ message: RatchetMessage, _ slot: Int, _ ad: [[UInt8]], into target: inout MutableSpan<UInt8>
    ) throws(RatchetError) {
        let box = message.ciphertext
        for (index, candidate) in ad.enumerated() {
            for header in headerSpellings(message) {
                let data = candidate + header
                do throws(AEADError) {
                    try keys.withKey(slot) { key throws(AEADError) in
                        try ChaChaPoly.open(box.span, key: key, authenticating: data.span, into: &target)
                    }
                    fittedAssociatedData = index
                    return
                } catch {
                    guard error == .notAuthentic else { throw .libraryFailure }
                }
            }
        }
        throw .notAuthentic
    }

    /// The header as it may stand under the tag of the body.
    private func headerSpellings(_ message: RatchetMessage) -> [[UInt8]] {
        message.plainHeader.map(\.spellings) ?? [message.encryptedHeader]
    }
}
