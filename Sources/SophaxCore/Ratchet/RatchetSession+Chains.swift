import CryptoPrimitives

extension RatchetSession {
    /// Opens the next message of a chain, or one beyond it. All is made in the other bank and in free places, and takes
    /// the place of what was there when the body has opened.
    mutating func openNext(
        _ message: RatchetMessage, _ step: ReceivingStep, isNewChain: Bool, ad: [[UInt8]], random: RandomSource?,
        into target: inout MutableSpan<UInt8>
    ) throws(RatchetError) {
        let plan = try makePlan(step.header, isNewChain: isNewChain)
        try reserve(plan)
        keys.copy(RatchetSlots.bank(bank), to: RatchetSlots.bank(1 - bank).lowerBound)
        do throws(RatchetError) {
            let next = try stage(step.header, plan, random)
            try openBody(message, RatchetSlots.messageKey, ad, into: &target)
            commit(next, plan, step)
        } catch {
            for slot in skipped.nextFree(plan.slotCount) { keys.wipe(slot..<slot + 1) }
            keys.wipe(RatchetSlots.bank(1 - bank))
            keys.wipe(RatchetSlots.scratch)
            throw error
        }
    }

    /// What a step skips and where that will be filed; everything that can be refused without a key is refused here.
    private struct Plan {
        let isNewChain: Bool
        /// Keys of the chain in use that are put aside, from its next number on.
        let ending: Int
        /// Keys before the message's in its own chain, from `firstNumber` on.
        let before: Int
        let firstNumber: UInt32
        /// The bundle of the chain in use, if there is one yet.
        let bundle: Int?
        /// Whether a new bundle needs a place for its header key (v1).
        let hasHeaderKeys: Bool

        var count: Int { ending + before }
        /// Whether the keys of the chain in use get a bundle, and those before the message.
        var opensForEnding: Bool { ending > 0 && bundle == nil }
        var opensForBefore: Bool { before > 0 && (isNewChain || bundle == nil) }
        var newBundles: Int { (opensForEnding ? 1 : 0) + (opensForBefore ? 1 : 0) }
        var slotCount: Int { count + (hasHeaderKeys ? newBundles : 0) }
    }

    private func makePlan(_ header: RatchetHeader, isNewChain: Bool) throws(RatchetError) -> Plan {
        // The counter of the state that is written afterwards must be one that the app reads.
        guard header.messageNumber < RatchetNumbers.counterEnd - 1 else { throw .counterExhausted }
        if isNewChain {
            guard version == .plainHeaders || numbers.keys.contains(.nextSendingHeader) else {
                throw .incompleteSession
            }
        } else {
            guard numbers.keys.contains(.receivingChain) else { throw .incompleteSession }
        }
        var ending = 0
        let isOpen = version == .plainHeaders || numbers.keys.contains(.receivingHeader)
        if isNewChain, isOpen, numbers.keys.contains(.receivingChain), header.previousChainLength > numbers.receiving {
            ending = Int(header.previousChainLength - numbers.receiving)
        }
        let firstNumber = isNewChain ? 0 : numbers.receiving
        let plan = Plan(
            isNewChain: isNewChain, ending: ending, before: Int(header.messageNumber - firstNumber),
            firstNumber: firstNumber, bundle: bundleOfReceivingChain(),
            hasHeaderKeys: version == .encryptedHeaders)
        guard plan.count <= SkippedKeys.maximumKeys else {
            throw .tooManySkippedKeys(limit: SkippedKeys.maximumKeys)
        }
        return plan
    }

    /// Makes the block larger where the free places are not enough.
    private mutating func reserve(_ plan: Plan) throws(RatchetError) {
        let missing = plan.slotCount - skipped.free.count
        guard missing > 0 else { return }
        let old = keys.count
        do throws(SecretMemoryError) { try keys.grow(to: old + max(missing, old)) } catch { throw .memory(error) }
        skipped.addFree(old..<keys.count)
    }

    /// Makes the keys of the step in the other bank, and those that are put aside in the last free places.
    private mutating func stage(
        _ header: RatchetHeader, _ plan: Plan, _ random: RandomSource?
    ) throws(RatchetError) -> RatchetNumbers {
        var next = numbers
        var places = skipped.nextFree(plan.slotCount).makeIterator()
        skip(plan.ending, &places, keepsHeaderKey: plan.hasHeaderKeys && plan.opensForEnding)
        if plan.isNewChain { try stageNewChains(header, &next, random) }
        skip(plan.before, &places, keepsHeaderKey: plan.hasHeaderKeys && plan.opensForBefore)
        Self.advance(&keys, chain: stagedSlot(.receivingChain), message: RatchetSlots.messageKey)
        next.receiving = header.messageNumber + 1
        return next
    }

    /// Puts keys of the staged receiving chain aside, and its header key before them.
    private mutating func skip(
        _ count: Int, _ places: inout ArraySlice<Int>.Iterator, keepsHeaderKey: Bool
    ) {
        if keepsHeaderKey, let place = places.next() {
            let header = stagedSlot(.receivingHeader)
            keys.copy(header..<header + 1, to: place)
        }
        for _ in 0..<count {
            guard let place = places.next() else { return }
            Self.advance(&keys, chain: stagedSlot(.receivingChain), message: place)
        }
    }

    /// The DH step: a receiving chain from the peer's new key, then a sending chain from a new key of one's own.
    private mutating func stageNewChains(
        _ header: RatchetHeader, _ next: inout RatchetNumbers, _ random: RandomSource?
    ) throws(RatchetError) {
        let hasHeaderKeys = version == .encryptedHeaders
        next.beginChains(remoteKey: header.senderRatchetKey)
        if hasHeaderKeys {
            for (key, from) in [
                (RatchetKey.sendingHeader, RatchetKey.nextSendingHeader), (.receivingHeader, .nextReceivingHeader),
            ] {
                keys.copy(stagedSlot(from)..<stagedSlot(from) + 1, to: stagedSlot(key))
            }
        }
        try Self.step(
            &keys, header.senderRatchetKey, bank: 1 - bank, chain: .receivingChain,
            nextHeader: hasHeaderKeys ? .nextReceivingHeader : nil)
        try Self.setPrivateKey(&keys, stagedSlot(.ratchetPrivate), random)
        next.setOwnKey(try Self.publicKey(keys, stagedSlot(.ratchetPrivate)))
        try Self.step(
            &keys, header.senderRatchetKey, bank: 1 - bank, chain: .sendingChain,
            nextHeader: hasHeaderKeys ? .nextSendingHeader : nil)
        next.keys = hasHeaderKeys ? .all : RatchetKeySet([.root, .ratchetPrivate, .sendingChain, .receivingChain])
    }

    /// Makes what was staged the session. Nothing here fails.
    private mutating func commit(_ next: RatchetNumbers, _ plan: Plan, _ step: ReceivingStep) {
        // The staged places are the last free ones, in order; `take` gives them from the end.
        var places = Array(skipped.nextFree(plan.slotCount))
        for _ in places { _ = skipped.take() }
        let endingKey = numbers.remoteKey
        file(plan.ending, from: numbers.receiving, &places, plan.bundle, remoteKey: endingKey)
        file(
            plan.before, from: plan.firstNumber, &places, plan.isNewChain ? nil : plan.bundle,
            remoteKey: plan.isNewChain ? next.remoteKey : endingKey)
        // What a state from elsewhere has beyond the limits stays as long as nothing is added.
        if plan.count > 0 {
            let limit = version == .encryptedHeaders ? SkippedKeys.maximumBundles : nil
            for slot in skipped.trim(bundleLimit: limit) { forget(slot) }
        }
        keys.wipe(RatchetSlots.bank(bank))
        keys.wipe(RatchetSlots.scratch)
        bank = 1 - bank
        numbers = next
        lastSeenHeaderForm = step.form ?? lastSeenHeaderForm
    }

    /// Files keys with consecutive numbers in `bundle`, or in a new one.
    private mutating func file(
        _ count: Int, from first: UInt32, _ places: inout [Int], _ bundle: Int?, remoteKey: [UInt8]?
    ) {
        guard count > 0 else { return }
        let target: Int
        if let bundle {
            target = bundle
        } else if version == .encryptedHeaders {
            let place = places.removeFirst()
            // A state from elsewhere may have keys of a chain that begins only now; one label stands for one bundle.
            if let same = self.bundle(filedUnder: place) {
                target = same
                keys.wipe(place..<place + 1)
                skipped.giveBack(place)
            } else {
                target = skipped.addBundle(.headerKey(slot: place))
            }
        } else {
            let key = remoteKey ?? []
            target = self.bundle(of: key) ?? skipped.addBundle(.ratchetKey(key))
        }
        for offset in 0..<count {
            let slot = places[offset]
            if skipped.add(.init(number: first + UInt32(offset), slot: slot), to: target) { continue }
            // A state from elsewhere had a key for this number already.
            keys.wipe(slot..<slot + 1)
            skipped.giveBack(slot)
        }
        places.removeFirst(count)
    }
}
