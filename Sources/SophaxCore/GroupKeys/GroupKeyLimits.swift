/// How far a sender's chain is followed, and how many keys of messages that are missing are kept.
public struct GroupKeyLimits: Hashable, Sendable {
    /// The most messages that are skipped at once.
    public let skip: Int
    /// The most skipped keys of one sender; the earliest are dropped.
    public let cache: Int
    /// The most skipped keys of all senders; those that were put aside first are dropped.
    public let total: Int
    /// Seconds after which a skipped key opens nothing any more; infinity for never.
    public let keyAge: Double
    /// The most messages of one sender that are skipped in all, by messages that open and by those that do not. Gaps that the
    /// apps would follow are followed beyond it.
    public let walk: Int

    /// The limits of the apps, and 100,000 skipped keys in all, which they do not limit. Format: SophaxChat 8.7.
    public static let app = GroupKeyLimits(skip: 100, cache: 200)

    /// For reading what was captured or kept, where a gap may be long, messages come in any order, and no key is too old. The
    /// apps refuse such a gap, and drop what they have no room for.
    public static let reading = GroupKeyLimits(
        skip: highestSkip, cache: highestCache, total: highestTotal, keyAge: .infinity)

    /// The highest `skip`: some hundredths of a second of work.
    public static let highestSkip = 25_000
    /// The highest `cache`.
    public static let highestCache = 25_000

    /// The highest `walk`: without it, each small message could cost as much as `skip` allows.
    public static let highestWalk = 250_000

    /// The highest `total`.
    public static let highestTotal = 500_000

    /// Values that are negative or above the highest are brought inside.
    public init(
        skip: Int, cache: Int, total: Int = 100_000, keyAge: Double = skippedKeyAge, walk: Int = highestWalk
    ) {
        self.skip = min(max(skip, 0), Self.highestSkip)
        self.cache = min(max(cache, 0), Self.highestCache)
        self.total = min(max(total, 0), Self.highestTotal)
        self.keyAge = keyAge
        self.walk = min(max(walk, 0), Self.highestWalk)
    }

    /// Age above which the apps drop a skipped key: 7 days, in seconds.
    public static let skippedKeyAge: Double = 7 * 86_400

    /// The largest body or attachment that is opened, nonce and tag included: the largest frame of any version.
    public static let openedLength = 10 << 20
    /// The longest text that the apps send.
    public static let sentBody = 65_536
    /// The longest attachment that the apps send, which is a file's.
    public static let sentAttachment = 2_097_152

    /// The most senders whose keys are held.
    static let senders = 100_000
    /// The longest JSON text of stored keys: the most skipped keys that the apps' limits keep fit, each of another sender.
    static let stateText = 64 << 20
    /// The longest JSON text of one distribution or invitation.
    static let distributionText = 1 << 20
}

/// When a sender key is replaced by its owner, and when its receivers take it for old.
///
/// Times are seconds, passed in by the caller. A time that lies in the future is never due: only a clock is wrong.
/// Format: SophaxChat 8.7.
public struct SenderKeyPolicy: Hashable, Sendable {
    /// Messages after which one's own key is replaced.
    public var rotationMessages: UInt32 = 500
    /// Age at which one's own key is replaced.
    public var rotationAge: Double = 7 * 86_400
    /// Age above which a received key is stale.
    public var staleAge: Double

    /// The rules of one app version, which differ in when a key is stale.
    public init(staleAge: Double) {
        self.staleAge = staleAge
    }

    /// Later versions: a received key is stale after 14 days.
    public static let later = SenderKeyPolicy(staleAge: 14 * 86_400)
    /// Earlier versions: after 30 days.
    public static let earlier = SenderKeyPolicy(staleAge: 30 * 86_400)

    /// Why one's own key should be replaced.
    public enum RotationReason: Hashable, Sendable {
        case messages(UInt32)
        case age(seconds: Double)
    }

    /// Why an own key of this position and making should be replaced at `now`; nil when it need not. What is not known is
    /// no reason.
    public func rotationReason(_ position: SenderKeyPosition, at now: Double) -> RotationReason? {
        if let count = position.messageCount, count >= rotationMessages { return .messages(count) }
        if let createdAt = position.createdAt, now - createdAt >= rotationAge { return .age(seconds: now - createdAt) }
        return nil
    }

    /// Whether a received key is stale at `now`; false when it is not known when it was received.
    public func isStale(_ position: SenderKeyPosition, at now: Double) -> Bool {
        position.receivedAt.map { now - $0 > staleAge } ?? false
    }
}

/// What is known of a sender's chain beside its key. Times are seconds since 2001.
public struct SenderKeyPosition: Hashable, Sendable {
    /// The number of the next message.
    public var iteration: UInt32
    /// Messages sent under the key since it was made; nil where the version does not count.
    public var messageCount: UInt32?
    /// When the key was made.
    public var createdAt: Double?
    /// When the key came from its owner.
    public var receivedAt: Double?

    public init(
        iteration: UInt32, messageCount: UInt32? = nil, createdAt: Double? = nil, receivedAt: Double? = nil
    ) {
        self.iteration = iteration
        self.messageCount = messageCount
        self.createdAt = createdAt
        self.receivedAt = receivedAt
    }
}
