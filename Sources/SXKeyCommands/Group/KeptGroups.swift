import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

extension GroupKeyLimits {
    /// For changes of what is kept: gaps are followed as far as the apps follow them, and no key that is kept is dropped. The
    /// apps drop those that are old or beyond their limits by themselves.
    static func keeping(skip: Int = app.skip) -> GroupKeyLimits {
        GroupKeyLimits(skip: skip, cache: highestCache, total: highestTotal, keyAge: .infinity)
    }
}

/// The keys of all groups of an identity, out of its items. A class, since the keys cannot be copied.
final class KeptGroups {
    var cipher: GroupCipher
    /// Groups with a state of MLS.
    let mls: Set<GroupID>
    /// Items that cannot be read.
    let unreadable: [(account: ItemAccount, reason: GroupKeyError)]
    /// What became of the skipped keys.
    let skipped: SkippedKeysLoaded
    /// The skipped keys as they were loaded; their item is written only when they are others.
    private let skippedBefore: SecretBytes?
    private let unreadableGroups: Set<GroupID>

    static let kinds: [ItemKind] = [.groupKey, .peerSenderKeys, .ownSenderKey, .skippedGroupKeys, .mlsState]

    /// Seconds from 1970 to 2001, the epoch of the apps' times.
    static let epoch2001 = AppTime.epoch2001

    init(_ keys: OpenedKeys, limits: GroupKeyLimits = .reading) throws(CommandError) {
        do throws(GroupKeyError) {
            cipher = try GroupCipher(limits: limits)
        } catch {
            throw .secret(.memory(.exhausted(requested: SenderKeyState.keyLength)), what: KeyFileUse.keychain.what)
        }
        var mls: Set<GroupID> = []
        var unreadable: [(ItemAccount, GroupKeyError)] = []
        var skipped = SkippedKeysLoaded()
        for listing in keys.listings {
            let account = listing.account
            guard let kind = account.kind, Self.kinds.contains(kind) else { continue }
            let group = GroupID(bytes: account.subject)
            guard kind != .mlsState else {
                mls.insert(group)
                continue
            }
            guard let value = try keys.item(account) else { continue }
            do throws(GroupKeyError) {
                switch kind {
                case .groupKey: try cipher.loadShared(value, of: group)
                case .peerSenderKeys: try cipher.loadPeers(value, of: group)
                case .ownSenderKey: try cipher.loadOwn(value, of: group)
                default:
                    skipped = try cipher.loadSkipped(value, at: 0)
                    // What does not fit must not be written over.
                    guard skipped.beyondLimit == 0 else { throw .tooMany(limit: limits.total) }
                }
            } catch {
                unreadable.append((account, error))
            }
        }
        self.mls = mls
        self.unreadable = unreadable
        self.skipped = skipped
        unreadableGroups = Set(
            unreadable.filter { $0.0 != .skippedGroupKeys }.map { GroupID(bytes: $0.0.subject) })
        do throws(GroupKeyError) {
            skippedBefore = try cipher.skipped()
        } catch {
            throw .group(.damagedItem(.skippedGroupKeys, error))
        }
    }

    /// All groups that anything is known of, by the bytes of their ids.
    var groups: [GroupID] {
        Set(cipher.groups).union(mls).union(unreadableGroups)
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Items of one group that cannot be read.
    func unreadable(of group: GroupID) -> [(account: ItemAccount, reason: GroupKeyError)] {
        guard unreadableGroups.contains(group) else { return [] }
        return unreadable.filter { $0.account != .skippedGroupKeys && $0.account.subject == group.bytes }
    }

    /// The one group that `word` names: by its id, the id of its conversation, or the beginning of its id.
    /// - Parameter isDestroyed: keys of it are to be destroyed, so that a letter or two do not name it.
    func group(_ word: [UInt8], isDestroyed: Bool = false) throws(CommandError) -> GroupID {
        let typed = GroupID(conversation: word)?.bytes ?? word
        guard !typed.isEmpty else { throw .group(.emptyGroup) }
        let exact = GroupID(bytes: word)
        let all = groups
        if all.contains(exact) { return exact }
        let found = all.filter { Self.folded($0.bytes).starts(with: Self.folded(typed)) }
        guard let first = found.first else { throw .group(.noGroup(word, known: all)) }
        let same = found.filter { Self.folded($0.bytes) == Self.folded(typed) }
        if same.count == 1 { return same[0] }
        guard found.count == 1 else { throw .group(.severalGroups(word, found)) }
        if isDestroyed, typed.count < Keyring.shortestPrefix { throw .group(.shortGroup(word, first)) }
        return first
    }

    /// ASCII letters in upper case: ids are upper case on iOS and lower case on Android.
    static func folded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xDF : $0 }
    }

    /// The values of the items of `groups`, and of the skipped keys where they are others than those that were loaded; a nil
    /// value is an item to take out. An item that cannot be read stays as it is, unless something is to be written in its place.
    func items(of groups: Set<GroupID>) throws(CommandError) -> [(account: ItemAccount, value: PrivateItem?)] {
        var items: [(ItemAccount, PrivateItem?)] = []
        func add(_ account: ItemAccount?, _ value: () throws(GroupKeyError) -> SecretBytes?) throws(CommandError) {
            guard let account else { return }
            let bad = unreadable.first { $0.account == account }
            do throws(GroupKeyError) {
                switch try value() {
                case .some(let value):
                    if let bad { throw bad.reason }
                    items.append((account, PrivateItem(account, value)))
                case .none: if bad == nil { items.append((account, nil)) }
                }
            } catch {
                if let bad { throw .group(.damagedItem(account, bad.reason)) }
                throw .group(.keys(GroupID(bytes: account.subject), error))
            }
        }
        for group in groups.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            try add(.peerSenderKeys(group.bytes)) { () throws(GroupKeyError) in try cipher.peers(of: group) }
            try add(.ownSenderKey(group.bytes)) { () throws(GroupKeyError) in try cipher.own(of: group) }
            try add(.groupKey(group.bytes)) { () throws(GroupKeyError) in try cipher.shared(of: group) }
        }
        if try haveSkippedChanged() {
            try add(.skippedGroupKeys) { () throws(GroupKeyError) in try cipher.skipped() }
        }
        return items
    }

    private func haveSkippedChanged() throws(CommandError) -> Bool {
        do throws(GroupKeyError) {
            switch try cipher.skipped() {
            case .some(let now):
                switch skippedBefore {
                case .some(let before): return !before.isEqual(to: now)
                case .none: return true
                }
            case .none: return skippedBefore != nil
            }
        } catch {
            throw .group(.damagedItem(.skippedGroupKeys, error))
        }
    }
}

extension OpenedKeyring {
    /// Changes the keys of groups of an identity: all that `body` does to them, or nothing of it.
    ///
    /// The items are read inside of the transaction, so that nobody else's change is lost.
    /// - Parameters:
    ///   - touched: the groups whose items are written, of what `body` returns.
    ///   - beforeCommit: what must have succeeded before anything is changed for good.
    func changingGroups<R>(
        of identity: KeyringIdentity, now: Double, limits: GroupKeyLimits = .keeping(), isDryRun: Bool = false,
        touched: (R) -> Set<GroupID>, beforeCommit: (R) throws(CommandError) -> Void = { _ in },
        _ body: (KeptGroups) throws(CommandError) -> R
    ) throws(CommandError) -> R {
        var failure: CommandError?
        do throws(CommandError) {
            return try doing { (keyring) throws(KeyringError) -> R in
                try keyring.changing { () throws(KeyringError) -> R in
                    do throws(CommandError) {
                        let keys = try OpenedKeys(of: identity, in: self)
                        let kept = try KeptGroups(keys, limits: limits)
                        let value = try body(kept)
                        let groups = touched(value)
                        if !isDryRun, !groups.isEmpty { try write(kept.items(of: groups), identity, now) }
                        try beforeCommit(value)
                        return value
                    } catch {
                        failure = error
                        // Any error undoes what was written; the caller is told the one above.
                        throw .noIdentity
                    }
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    private func write(
        _ items: [(account: ItemAccount, value: PrivateItem?)], _ identity: KeyringIdentity, _ now: Double
    ) throws(CommandError) {
        try doing { (keyring) throws(KeyringError) in
            for (account, value) in items {
                guard let value else {
                    try keyring.removeItem(account, of: identity)
                    continue
                }
                if let present = try keyring.item(account, of: identity), present.isEqual(to: value.value) { continue }
                try keyring.setItem(account, of: identity, to: value.value, at: now)
            }
        }
    }
}
