import CryptoPrimitives
import SophaxCore

/// Keys whose place another one has taken. They are kept beside it: what was encrypted for them opens with nothing else.
///
/// Format: sxkey-formats(5), "Kinds of items".
extension ItemAccount {
    /// The name of a key that is not the current one, by the first 8 hex digits of SHA-256 of its value.
    static func earlier(_ account: ItemAccount, _ value: borrowing SecretBytes) -> ItemAccount {
        beside(account, ".before-", value)
    }

    /// The name of what stood in the place of a key and was none.
    static func damaged(_ account: ItemAccount, _ value: borrowing SecretBytes) -> ItemAccount {
        beside(account, ".damaged-", value)
    }

    private static func beside(
        _ account: ItemAccount, _ mark: String, _ value: borrowing SecretBytes
    ) -> ItemAccount {
        let hash = value.withSpan { SHA256.hash($0) }
        return ItemAccount(known: account.text + mark + Hex.encode(hash.span.extracting(first: 4)))
    }
}

extension Keyring {
    /// Where an item of another copy of an identity goes: an X-Wing key whose place has another one gets a place of its own,
    /// all others their own name.
    package func place(
        for account: ItemAccount, _ value: borrowing SecretBytes, of identity: KeyringIdentity
    ) throws(KeyringError) -> ItemAccount {
        guard account == .xWing, let present = try item(account, of: identity), !present.isEqual(to: value) else {
            return account
        }
        return .earlier(account, value)
    }

    /// The same for many items.
    package func placing(
        _ items: [PrivateItem], of identity: KeyringIdentity
    ) throws(KeyringError) -> [PrivateItem] {
        var placed: [PrivateItem] = []
        for item in items {
            let account = try place(for: item.account, item.value, of: identity)
            guard account != item.account else {
                placed.append(item)
                continue
            }
            do throws(SecretMemoryError) {
                placed.append(PrivateItem(account, try item.value.copy()))
            } catch {
                throw .memory(error)
            }
        }
        return placed
    }

    /// The X-Wing keys that bundle files may be encrypted for, the current one first, each as its seed; and those that are no
    /// keys, or do not open.
    package func recipientSeeds(
        of identity: KeyringIdentity
    ) throws(KeyringError) -> (seeds: [PrivateItem], unfit: [ItemAccount]) {
        var (seeds, unfit): ([PrivateItem], [ItemAccount]) = ([], [])
        for listing in try items(of: identity) where listing.account.kind == .recipientKey {
            do throws(KeyringError) {
                guard let stored = try item(listing.account, of: identity) else { continue }
                let seed: SecretBytes
                do throws(CheckedSeedError) {
                    seed = try CheckedSeed.read(stored, as: .xwing)
                } catch {
                    throw KeyringError(error, of: listing.account)
                }
                seeds.append(PrivateItem(listing.account, seed))
            } catch .unfitItem, .damagedItem {
                unfit.append(listing.account)
            }
        }
        // Names are in order, and that of the current one is the shortest.
        return (seeds, unfit)
    }

    /// Puts a key that is none aside, so that a new one can be made in its place; false when it is one, and when there is none
    /// true.
    func clear(
        _ account: ItemAccount, as form: CheckedSeed.Form, of identity: KeyringIdentity, at time: Double
    ) throws(KeyringError) -> Bool {
        guard let stored = try item(account, of: identity) else { return true }
        do throws(CheckedSeedError) {
            _ = try CheckedSeed.read(stored, as: form)
            return false
        } catch .length, .mismatch {
            try setItem(.damaged(account, stored), of: identity, to: stored, at: time)
            try removeItem(account, of: identity)
            return true
        } catch {
            throw KeyringError(error, of: account)
        }
    }
}
