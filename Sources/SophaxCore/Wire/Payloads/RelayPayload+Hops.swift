extension RelayPayload {
    /// The same message for the next hop: one hop fewer left, one more behind. Nil when it goes no further.
    ///
    /// A relay never raises what is left, so no message goes on for ever. Whether it was passed on before is for the caller
    /// to know: relays keep the last ids. Format: SophaxChat 8.8.
    public var nextHop: RelayPayload? {
        let (hops, overflow) = hopCount.addingReportingOverflow(1)
        guard ttl > 0, ttl <= WireLimits.relayHops, !overflow else { return nil }
        var next = self
        next.ttl = ttl - 1
        next.hopCount = hops
        return next
    }
}
