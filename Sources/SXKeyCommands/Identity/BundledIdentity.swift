import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SystemIO

/// The private items of an identity in a `.sxb`, for judging whether it can take the keyring's place.
struct BundledIdentity {
    let path: FilePath
    let passphrase: PassphraseOption

    /// The items of an identity that the bundle holds with the value that the keyring has now. Everything in the bundle is
    /// read, for only then is it proven.
    ///
    /// A bundle for keys counts only when another identity of the keyring opens it: one that nothing opens but the identity
    /// that is to be removed would be lost with it.
    func accounts(
        of identity: KeyringIdentity, _ opened: OpenedKeyring, _ context: Context
    ) throws(CommandError) -> [ItemAccount] {
        let documents = try read(identity, opened, context)
        guard let own = documents[.identity], own.head.fingerprint == identity.fingerprint.hex else { return [] }
        var items: [PrivateItem] = []
        do throws(DocumentError) {
            for (_, document) in documents {
                for (place, item) in try document.listing().enumerated() {
                    guard let account = ItemAccount(bytes: item.account) else { continue }
                    items.append(PrivateItem(account, try document.value(at: place)))
                }
            }
        } catch {
            throw .entries(.document(error), path)
        }
        return try opened.doing { (keyring) throws(KeyringError) in try keyring.compare(items, with: identity) }.equal
    }

    private func read(
        _ identity: KeyringIdentity, _ opened: OpenedKeyring, _ context: Context
    ) throws(CommandError) -> [BundlePart: ItemsDocument] {
        let header: SXBHeader
        do throws(SXBError) { header = try SXBReader.inspect(path) } catch { throw .entries(.container(error), path) }
        let secrets: [SXBSecret]
        switch header.kind {
        case .passphrase: secrets = [try BundleInputs.passphrase(passphrase, path, context)]
        case .publicKey:
            secrets = try opened.identityKeys(context, except: identity)
            if secrets.isEmpty { throw .identity(.onlyItselfOpens(path, identity)) }
        }
        context.progress.begin("Reading \(path)", total: 0, unit: .items)
        defer { context.progress.finish() }
        do throws(EntryError) {
            let source = try SXBSource(opening: path, secrets: secrets)
            var sink = DocumentSplit(rest: IgnoredEntries())
            try source.send(to: &sink)
            return try sink.documents()
        } catch {
            if header.kind == .publicKey, case .container(.noMatchingRecipient) = error {
                throw .identity(.onlyItselfOpens(path, identity))
            }
            throw .entries(error, path)
        }
    }
}

extension OpenedKeyring {
    /// The private keys of the identities, which open what was made for one of them. An X-Wing key that is none, as one of a
    /// damaged export, is left out and named: it opens nothing, and the others do.
    func identityKeys(_ context: Context, except left: KeyringIdentity? = nil) throws(CommandError) -> [SXBSecret] {
        var found: [SXBSecret] = []
        for identity in try doing({ (keyring) throws(KeyringError) in try keyring.identities() })
        where identity.fingerprint != left?.fingerprint {
            let keys = try doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }
            let (seeds, unfit) = try doing { (keyring) throws(KeyringError) in
                try keyring.recipientSeeds(of: identity)
            }
            for account in unfit {
                context.console.note(
                    "sxkey: warning: \(account.bytes) of \(identity.shortText) is damaged, so bundles for it do not open; "
                        + "\"sxkey keyring verify\" says more"
                )
            }
            do throws(SXBError) {
                let copy: SecretBytes
                do throws(SecretMemoryError) { copy = try keys.dhPrivate.copy() } catch { throw .memory(error) }
                found.append(try SXBSecret.privateKey(copy))
                for seed in seeds {
                    let copy: SecretBytes
                    do throws(SecretMemoryError) { copy = try seed.value.copy() } catch { throw .memory(error) }
                    found.append(try SXBSecret.xWing(copy))
                }
            } catch {
                throw .entries(.container(error), path)
            }
        }
        return found
    }
}
