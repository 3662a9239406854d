import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// The keys of all groups of an identity, out of its items. A class, since the keys cannot be copied.
final class KeptGroups {
    var cipher: GroupCipher
    /// Groups with a state of MLS.
    let mls: [GroupID]
    /// Items that cannot be read.
    let unreadable: [(account: ItemAccount, reason: GroupKeyError)]
    /// What became of the skipped keys.
    let skipped: SkippedKeysLoaded

    static let kinds: [ItemKind] = [.groupKey, .peerSenderKeys, .ownSenderKey, .skippedGroupKeys, .mlsState]

    /// Seconds from 1970 to 2001, the epoch of the apps' times.
    static let epoch2001 = AppTime.epoch2001

    /// - Parameter now: Unix seconds.
    init(_ keys: OpenedKeys, now: Double, limits: GroupKeyLimits = .app) throws(CommandError) {
        do throws(GroupKeyError) {
            cipher = try GroupCipher(limits: limits)
        } catch {
            throw .secret(.memory(.exhausted(requested: SenderKeyState.keyLength)), what: KeyFileUse.keychain.what)
        }
        var mls: [GroupID] = []
        var unreadable: [(ItemAccount, GroupKeyError)] = []
        var skipped = SkippedKeysLoaded()
        for listing in keys.listings {
            let account = listing.account
            guard let kind = account.kind, Self.kinds.contains(kind) else { continue }
            let group = GroupID(bytes: account.subject)
            guard kind != .mlsState else {
                mls.append(group)
                continue
            }
            guard let value = try keys.item(account) else { continue }
            do throws(GroupKeyError) {
                switch kind {
                case .groupKey: try cipher.loadShared(value, of: group)
                case .peerSenderKeys: try cipher.loadPeers(value, of: group)
                case .ownSenderKey: try cipher.loadOwn(value, of: group)
                default: skipped = try cipher.loadSkipped(value, at: now - Self.epoch2001)
                }
            } catch {
                unreadable.append((account, error))
            }
        }
        self.mls = mls
        self.unreadable = unreadable
        self.skipped = skipped
    }

    /// All groups that anything is known of, by the bytes of their ids.
    var groups: [GroupID] {
        let damaged = unreadable.filter { $0.account != .skippedGroupKeys }.map { GroupID(bytes: $0.account.subject) }
        return Set(cipher.groups + mls + damaged).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The one group that `word` names: by its id, the id of its conversation, or the beginning of its id.
    func group(_ word: [UInt8]) throws(CommandError) -> GroupID {
        let exact = GroupID(bytes: word)
        let all = groups
        if all.contains(exact) { return exact }
        let typed = GroupID(conversation: word)?.bytes ?? word
        let found = all.filter { Self.folded($0.bytes).starts(with: Self.folded(typed)) }
        guard let first = found.first else { throw .group(.noGroup(word, known: all)) }
        let same = found.filter { Self.folded($0.bytes) == Self.folded(typed) }
        if same.count == 1 { return same[0] }
        guard found.count == 1 else { throw .group(.severalGroups(word, found)) }
        return first
    }

    /// ASCII letters in upper case: ids are upper case on iOS and lower case on Android.
    private static func folded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xDF : $0 }
    }

    /// The values of the items of `groups`, and of the skipped keys of all; a nil value is an item to take out.
    func items(of groups: Set<GroupID>) throws(CommandError) -> [(account: ItemAccount, value: PrivateItem?)] {
        var items: [(ItemAccount, PrivateItem?)] = []
        func add(_ account: ItemAccount?, _ value: () throws(GroupKeyError) -> SecretBytes?) throws(CommandError) {
            guard let account else { return }
            if let bad = unreadable.first(where: { $0.account == account }) {
                throw .group(.damagedItem(account, bad.reason))
            }
            do throws(GroupKeyError) {
                switch try value() {
                case .some(let value): items.append((account, PrivateItem(account, value)))
                case .none: items.append((account, nil))
                }
            } catch {
                throw .group(.keys(GroupID(bytes: account.subject), error))
            }
        }
        for group in groups.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            try add(.peerSenderKeys(group.bytes)) { () throws(GroupKeyError) in try cipher.peers(of: group) }
            try add(.ownSenderKey(group.bytes)) { () throws(GroupKeyError) in try cipher.own(of: group) }
            try add(.groupKey(group.bytes)) { () throws(GroupKeyError) in try cipher.shared(of: group) }
        }
        try add(.skippedGroupKeys) { () throws(GroupKeyError) in try cipher.skipped() }
        return items
    }
}

extension OpenedKeyring {
    /// Changes the keys of groups of an identity: all that `body` does to them, or nothing of it.
    ///
    /// The items are read inside of the transaction, so that nobody else's change is lost.
    /// - Parameter touched: the groups whose items are written, of what `body` returns.
    func changingGroups<R>(
        of identity: KeyringIdentity, now: Double, limits: GroupKeyLimits = .app, isDryRun: Bool = false,
        touched: (R) -> Set<GroupID>, _ body: (KeptGroups) throws(CommandError) -> R
    ) throws(CommandError) -> R {
        var result: Result<R, CommandError>?
        try doing { (keyring) throws(KeyringError) in
            try keyring.changing { () throws(KeyringError) in
                do throws(CommandError) {
                    let keys = try OpenedKeys(of: identity, in: self)
                    let kept = try KeptGroups(keys, now: now, limits: limits)
                    let value = try body(kept)
                    result = .success(value)
                    let groups = touched(value)
                    guard !isDryRun, !groups.isEmpty else { return }
                    try write(kept.items(of: groups), keys, keyring, identity, now)
                } catch {
                    result = .failure(error)
                }
                if case .failure = result { return }
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw error
        case nil: throw .keyring(.noIdentity, path)
        }
    }

    private func write(
        _ items: [(account: ItemAccount, value: PrivateItem?)], _ keys: OpenedKeys, _ keyring: Keyring,
        _ identity: KeyringIdentity, _ now: Double
    ) throws(CommandError) {
        try doing { (keyring) throws(KeyringError) in
            // Nested in the transaction that runs; when one fails, none is written.
            try keyring.changing { () throws(KeyringError) in
                for (account, value) in items {
                    guard let value else {
                        try keyring.removeItem(account, of: identity)
                        continue
                    }
                    if let present = try keyring.item(account, of: identity), present.isEqual(to: value.value) {
                        continue
                    }
                    try keyring.setItem(account, of: identity, to: value.value, at: now)
                }
            }
        }
    }
}
