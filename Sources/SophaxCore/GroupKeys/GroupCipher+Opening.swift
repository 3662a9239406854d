import CryptoPrimitives

extension GroupCipher {
    /// Opens a message of `sender`, and moves the sender's chain behind it.
    ///
    /// - Parameters:
    ///   - sender: group and author as the message says them, which they must be by its signature: every member has the key.
    ///   - now: when keys that are skipped are put aside; those older than `limits.keyAge` open nothing.
    /// - Throws: any `GroupKeyError` that concerns messages; nothing has changed then.
    public mutating func open(
        _ message: GroupCiphertext, from sender: GroupSender, at now: Double
    ) throws(GroupKeyError) -> OpenedGroupMessage {
        try message.check()
        defer { wipeScratch() }
        guard let iteration = message.iteration else {
            guard let slot = sharedKeys[sender.group] else { throw .noKey }
            return try open(message, [.sharedKey], slot, sender, 0)
        }
        guard let known = known(sender) else { throw .noKey }
        if let entry = skippedKeys.entry(iteration, of: known), !entry.isOlder(than: limits.keyAge, at: now) {
            do throws(GroupKeyError) {
                let opened = try open(message, [.bound, .plain], entry.slot, sender, iteration, wasSkipped: true)
                if let slot = skippedKeys.remove(iteration, of: known) { release([slot]) }
                return opened
            } catch {
                // A chain that came later may have the number once more.
                guard error == .notAuthentic, let chain = peerChains[known], iteration >= chain.position.iteration
                else { throw error }
            }
        }
        guard let chain = peerChains[known] else { throw .noKey }
        return try openNext(message, iteration, sender, known, chain, now)
    }

    /// Opens a message that the chain has not come to yet.
    private mutating func openNext(
        _ message: GroupCiphertext, _ iteration: UInt32, _ sender: GroupSender, _ known: GroupSender, _ chain: Chain,
        _ now: Double
    ) throws(GroupKeyError) -> OpenedGroupMessage {
        let next = chain.position.iteration
        guard iteration >= next else { throw .keyGone(iteration: iteration, next: next) }
        let distance = Int(iteration - next)
        guard distance <= limits.skip else { throw .tooFarAhead(skipped: iteration - next, limit: limits.skip) }
        guard iteration < .max else { throw .chainExhausted }
        let free = GroupKeyLimits.app.skip
        guard distance <= free || chain.walked + distance <= limits.walk else {
            throw .tooFarAhead(skipped: iteration - next, limit: free)
        }
        if distance > free { peerChains[known]?.walked += distance }
        // Of all that are skipped only the last can stay in the cache.
        let kept = min(distance, limits.cache)
        try reserve(kept)
        let places = nextFree(kept)
        copyKey(chain.slot, to: Self.steppingKey)
        step(distance - kept)
        for place in places {
            keys.setCode(place, of: 0x01, key: Self.steppingKey)
            step(1)
        }
        keys.setCode(Self.messageKey, of: 0x01, key: Self.steppingKey)
        let opened: OpenedGroupMessage
        do throws(GroupKeyError) {
            opened = try open(
                message, [.bound, .plain], Self.messageKey, sender, iteration, skipped: distance)
        } catch {
            for place in places { keys.wipe(place..<place + 1) }
            throw error
        }
        try putAside(places, from: iteration - UInt32(kept), of: known, at: now)
        step(1)
        copyKey(Self.steppingKey, to: chain.slot)
        peerChains[known]?.position.iteration = iteration + 1
        return opened
    }

    /// Files the keys in the next free slots as those of the messages from `first` on. `reserve` has made sure of them.
    mutating func putAside(
        _ places: [Int], from first: UInt32, of sender: GroupSender, at now: Double
    ) throws(GroupKeyError) {
        var freed: [Int] = []
        for (offset, place) in places.enumerated() {
            // A free slot that is taken is the one that `nextFree` gave, as long as none is given back in between.
            _ = try takeSlot()
            let entry = SkippedGroupKeys.Entry(iteration: first + UInt32(offset), slot: place, storedAt: now)
            freed += skippedKeys.add(entry, of: sender, limit: limits.cache)
        }
        release(freed + skippedKeys.removeOldest(above: limits.total))
    }

    /// Drops skipped keys that are older than `limits.keyAge`, as the apps do when they start; a daemon does it once a day.
    ///
    /// Such a key opens nothing either before it is dropped.
    /// - Returns: how many there were.
    @discardableResult
    public mutating func dropExpired(at now: Double) -> Int {
        let freed = skippedKeys.removeAll(olderThan: limits.keyAge, at: now)
        release(freed)
        return freed.count
    }

    /// Moves the stepping key forward.
    mutating func step(_ count: Int) {
        for _ in 0..<count { keys.setCode(Self.steppingKey, of: 0x02, key: Self.steppingKey) }
    }

    /// Opens body and attachment with the key in `slot`, both in the first of `forms` that fits the body. Changes nothing.
    ///
    /// An attachment that does not open takes nothing from a body that is authentic.
    private func open(
        _ message: GroupCiphertext, _ forms: [GroupMessageForm], _ slot: Int, _ sender: GroupSender,
        _ iteration: UInt32, skipped: Int = 0, wasSkipped: Bool = false
    ) throws(GroupKeyError) -> OpenedGroupMessage {
        for form in forms {
            guard let body = try open(message.body, slot, form.associatedData(sender, iteration, .body)) else {
                continue
            }
            var attachment: [UInt8]?
            if let box = message.attachment, GroupCiphertext.canOpen(box) {
                attachment = try open(box, slot, form.associatedData(sender, iteration, .attachment))
            }
            return OpenedGroupMessage(
                body: body, attachment: attachment,
                isAttachmentDamaged: message.attachment != nil && attachment == nil, form: form, skipped: skipped,
                wasSkipped: wasSkipped)
        }
        throw .notAuthentic
    }

    /// The text of a box; nil when it does not authenticate.
    private func open(_ box: [UInt8], _ slot: Int, _ data: [UInt8]) throws(GroupKeyError) -> [UInt8]? {
        var text = [UInt8](repeating: 0, count: box.count - AEADSize.overhead)
        do throws(AEADError) {
            try keys.withKey(slot) { key throws(AEADError) in
                var target = text.mutableSpan
                try ChaChaPoly.open(box.span, key: key, authenticating: data.span, into: &target)
            }
            return text
        } catch {
            guard error == .notAuthentic else { throw GroupKeyError(error) }
            return nil
        }
    }
}
