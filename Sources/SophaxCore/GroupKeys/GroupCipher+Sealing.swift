import CryptoPrimitives

extension GroupCipher {
    /// Seals a message with one's own key and moves the chain behind it.
    ///
    /// - Parameters:
    ///   - body: UTF-8, at most 65,536 bytes; `attachment` at most 2,097,152.
    ///   - sender: the group, and one's own id as the group's members know it.
    ///   - now: seconds since 2001; with it a chain that an app made without count and date is counted and dated from here
    ///     on, as the app does it, so that it is replaced in time.
    ///   - form: `.sharedKey` takes the key of a group of the first version, and moves nothing.
    /// - Throws: `.noKey`, `.tooLarge`, `.chainExhausted`, `.libraryFailure`; nothing has changed then.
    public mutating func seal(
        _ body: [UInt8], attachment: [UInt8]? = nil, as sender: GroupSender, at now: Double? = nil,
        form: GroupMessageForm = .bound
    ) throws(GroupKeyError) -> GroupCiphertext {
        guard body.count <= GroupKeyLimits.sentBody else {
            throw .tooLarge(found: body.count, ceiling: GroupKeyLimits.sentBody)
        }
        if let attachment, attachment.count > GroupKeyLimits.sentAttachment {
            throw .tooLarge(found: attachment.count, ceiling: GroupKeyLimits.sentAttachment)
        }
        guard form != .sharedKey else {
            guard let slot = sharedKeys[sender.group] else { throw .noKey }
            return try seal(body, attachment, slot, sender, nil, form)
        }
        guard let chain = ownChains[sender.group] else { throw .noKey }
        let iteration = chain.position.iteration
        guard iteration < .max else { throw .chainExhausted }
        defer { wipeScratch() }
        keys.setCode(Self.messageKey, of: 0x01, key: chain.slot)
        let sealed = try seal(body, attachment, Self.messageKey, sender, iteration, form)
        keys.setCode(chain.slot, of: 0x02, key: chain.slot)
        ownChains[sender.group]?.position.iteration = iteration + 1
        if let count = chain.position.messageCount ?? now.map({ _ in 0 }), count < .max {
            ownChains[sender.group]?.position.messageCount = count + 1
        }
        if chain.position.createdAt == nil { ownChains[sender.group]?.position.createdAt = now }
        return sealed
    }

    private func seal(
        _ body: [UInt8], _ attachment: [UInt8]?, _ slot: Int, _ sender: GroupSender, _ iteration: UInt32?,
        _ form: GroupMessageForm
    ) throws(GroupKeyError) -> GroupCiphertext {
        var sealedAttachment: [UInt8]?
        if let attachment {
            sealedAttachment = try seal(attachment, slot, form.associatedData(sender, iteration ?? 0, .attachment))
        }
        return GroupCiphertext(
            iteration: iteration,
            body: try seal(body, slot, form.associatedData(sender, iteration ?? 0, .body)),
            attachment: sealedAttachment)
    }

    private func seal(_ text: [UInt8], _ slot: Int, _ data: [UInt8]) throws(GroupKeyError) -> [UInt8] {
        var box = [UInt8](repeating: 0, count: text.count + AEADSize.overhead)
        let nonce = Random.bytes(AEADSize.nonce)
        do throws(AEADError) {
            try keys.withKey(slot) { key throws(AEADError) in
                var target = box.mutableSpan
                try ChaChaPoly.seal(text.span, key: key, nonce: nonce.span, authenticating: data.span, into: &target)
            }
            return box
        } catch {
            throw GroupKeyError(error)
        }
    }
}
