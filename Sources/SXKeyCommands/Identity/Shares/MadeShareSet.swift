import CommandKit
import CryptoPrimitives
import SophaxCore
import SophaxFiles

/// A set of shares that was made and proven: all of them together give the keys again.
struct MadeShareSet: Sendable {
    /// What is written of each share, without a line end.
    let shares: [ShareText]
    /// Those whom the shares are sealed for; empty where they are not.
    let holders: [ShareHolder]
    let owner: IdentityShare.Owner
    /// How people tell the set from others.
    let set: String
    /// The apps' list of holders, where shares are sealed.
    let manifest: [UInt8]?

    /// The apps' shares, plain or each sealed for a contact.
    static func json(
        _ keys: borrowing Identity, _ owner: IdentityShare.Owner, _ threshold: Int, _ total: Int,
        _ holders: [ShareHolder], isApp: Bool, _ context: Context
    ) throws(CommandError) -> MadeShareSet {
        let createdAt = (context.now - AppTime.epoch2001).rounded(.down)
        let shares: [IdentityShare]
        let isProven: Bool
        do throws(IdentityShareSetError) {
            shares = try IdentityShareSet.split(
                keys, name: owner.name, threshold: threshold, total: total, createdAt: createdAt,
                random: context.randomness)
            isProven = try prove(shares, keys)
        } catch {
            throw .shares(.set(error, []))
        }
        guard isProven, let first = shares.first else { throw .shares(.proof) }
        var texts: [ShareText] = []
        for (number, share) in shares.enumerated() {
            texts.append(try text(of: share, holders.isEmpty ? nil : holders[number], isApp: isApp, context))
        }
        let manifest = ShareManifest(
            shareID: first.id, threshold: threshold,
            holders: holders.map { PeerID($0.person.fingerprint, form: .hex32) }, createdAt: createdAt)
        return MadeShareSet(
            shares: texts, holders: holders, owner: owner, set: String(decoding: first.id, as: UTF8.self),
            manifest: holders.isEmpty ? nil : manifest.text)
    }

    private static func prove(
        _ shares: [IdentityShare], _ keys: borrowing Identity
    ) throws(IdentityShareSetError) -> Bool {
        let combined = try IdentityShareSet.combine(shares)
        return combined.isProven && combined.strays.isEmpty && combined.identity.fingerprint == keys.fingerprint
            && combined.identity.signingSeed.isEqual(to: keys.signingSeed)
            && combined.identity.dhPrivate.isEqual(to: keys.dhPrivate)
    }

    private static func text(
        of share: IdentityShare, _ holder: ShareHolder?, isApp: Bool, _ context: Context
    ) throws(CommandError) -> ShareText {
        let text: SecretBytes
        do throws(SecretMemoryError) { text = try share.text(isApp ? .app : .sxkey) } catch { throw .shares(.memory) }
        let read: IdentityShare
        do throws(IdentityShareError) { read = try IdentityShare.read(text) } catch { throw .shares(.proof) }
        guard read.data.isEqual(to: share.data), read.index == share.index else { throw .shares(.proof) }
        guard let holder else { return ShareText(text) }
        do throws(HeldShareError) {
            let sealed = try HeldShare.seal(
                share, for: holder.person, dh: holder.dh, random: context.randomness)
            let bytes = sealed.text
            let copy: SecretBytes
            do throws(SecretMemoryError) { copy = try SecretBytes(copying: bytes.span) } catch { throw .memory(error) }
            return ShareText(copy)
        } catch {
            throw CommandError.shares(.sealed(error, holder: holder.who, "-"))
        }
    }

    /// Shares as SLIP-39 words, without a passphrase: one that is forgotten would leave nothing.
    static func words(
        _ keys: borrowing Identity, _ owner: IdentityShare.Owner, _ threshold: Int, _ total: Int, _ context: Context
    ) throws(CommandError) -> MadeShareSet {
        let secret: SecretBytes
        do throws(SecretMemoryError) { secret = try IdentitySecret.of(keys) } catch { throw .shares(.memory) }
        let none: SecretBytes
        do throws(SecretMemoryError) { none = try SecretBytes(count: 0) } catch { throw .shares(.memory) }
        var texts: [ShareText] = []
        var isProven = false
        do throws(WordShareError) {
            let shares = try WordShareSet.split(
                secret, threshold: threshold, total: total, passphrase: none, random: context.randomness)
            var read: [WordShare] = []
            for share in shares {
                let text = ShareText(try share.words())
                read.append(try WordShare(text.text))
                texts.append(text)
            }
            isProven = try WordShareSet.combine(read, passphrase: none).isEqual(to: secret)
        } catch {
            throw .shares(.words(error))
        }
        guard isProven, let first = texts.first else { throw .shares(.proof) }
        // The first two words say nothing but the set's number; the third has the count of groups beside it.
        let words = SharePage.words(of: first.text).prefix(2).map { word in
            first.text.withSpan { text in String(decoding: word.map { text[$0] }, as: UTF8.self) }
        }
        return MadeShareSet(
            shares: texts, holders: [], owner: owner, set: words.joined(separator: " ") + " …", manifest: nil)
    }
}
