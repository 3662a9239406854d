/// When what was received has had its time. The apps take no sender's word for a longer time than they give themselves.
/// Times are seconds since 2001, passed in. Format: SophaxChat 7.8, 8.8 and 8.9.
extension WireDate {
    /// This time, or, where that is earlier, `lifetime` seconds after `now`, in the same form.
    public func atMost(_ lifetime: Double, after now: Double) -> WireDate {
        let latest = now + lifetime
        guard secondsSince2001 > latest else { return self }
        let earlier = text == nil ? WireDate(secondsSince2001: latest) : WireDate(androidSecondsSince2001: latest)
        // Only a clock outside the calendar has none.
        return earlier ?? self
    }

    /// Whether the time has come.
    public func hasPassed(at now: Double) -> Bool { now >= secondsSince2001 }
}

extension MessageContent {
    /// When the message disappears: within 365 days. Nil for one that stays.
    public func expiry(receivedAt now: Double) -> WireDate? {
        expiresAt?.atMost(WireLimits.longestLifetime, after: now)
    }
}

extension GroupMessagePayload {
    /// When the message disappears: within 365 days. Nil for one that stays.
    public func expiry(receivedAt now: Double) -> WireDate? {
        expiresAt?.atMost(WireLimits.longestLifetime, after: now)
    }
}

extension MLSMessagePayload {
    /// When the message disappears: within 365 days. Nil for one that stays.
    public func expiry(receivedAt now: Double) -> WireDate? {
        expiresAt?.atMost(WireLimits.longestLifetime, after: now)
    }
}

extension StoreAndForwardPayload {
    /// Until when a relay holds it: 48 hours at most.
    public func expiry(receivedAt now: Double) -> WireDate {
        expiresAt.atMost(WireLimits.storeAndForwardLifetime, after: now)
    }
}

extension DeadDropPayload {
    /// Until when it is kept: 12 hours at most.
    public func expiry(receivedAt now: Double) -> WireDate {
        expiresAt.atMost(WireLimits.deadDropLifetime, after: now)
    }
}

extension DHTStorePayload {
    /// Until when the bundle is given to others: 25 hours at most.
    public func expiry(receivedAt now: Double) -> WireDate {
        expiresAt.atMost(WireLimits.dhtLifetime, after: now)
    }
}

extension DeviceLinkPayload {
    /// When a request that is made at `now` ends: 10 minutes later. Nil outside the calendar.
    public static func expiry(madeAt now: Double) -> WireDate? {
        WireDate(secondsSince2001: now + WireLimits.deviceLinkLifetime)
    }

    /// Whether the request has ended. One without an end never does: Android's, and that of early versions.
    public func isExpired(at now: Double) -> Bool { expiresAt?.hasPassed(at: now) ?? false }
}
