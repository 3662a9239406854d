import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// A bundle of prekeys that an identity published itself: it tells which ML-DSA key is the identity's.
///
/// How an app stores the private half is not known, and bytes in another layout than sxkey's prove nothing by themselves.
package struct OwnBundle: Sendable {
    static let option = OptionSpecification.value(
        "own-bundle", "FILE", .file,
        "a bundle of prekeys that this identity published, which proves what its identity.mldsa is")

    /// Why it proves nothing.
    package enum Problem: Sendable {
        case otherIdentity
        case badSignature
        case noSigningKey
        case noItem
        case otherKey

        var text: String {
            switch self {
            case .otherIdentity: "it is the bundle of another identity"
            case .badSignature: "a signature in it does not fit"
            case .noSigningKey: "it has no ML-DSA key"
            case .noItem: "the identity has no identity.mldsa"
            case .otherKey: "identity.mldsa is not the private half of its ML-DSA key, in any layout that is tried"
            }
        }
    }

    private let path: FilePath

    init?(_ arguments: ParsedArguments) {
        guard let path = arguments.path("own-bundle") else { return nil }
        self.path = path
    }

    /// Adds the public key to the items, after the bundle's signatures and the private half have been held to it.
    func prove(_ imported: ImportedIdentity, _ source: FilePath) throws(CommandError) {
        let bundle = try PreKeyBundleFile.forCommand(path).bundle
        guard bundle.identityKeys == imported.keys.publicKeys else { throw .identity(.ownBundle(.otherIdentity, path)) }
        guard let key = bundle.extras.mldsaPublicKey else { throw .identity(.ownBundle(.noSigningKey, path)) }
        guard bundle.signatureForm != nil, bundle.postQuantumSignature == .valid else {
            throw .identity(.ownBundle(.badSignature, path))
        }
        guard let item = imported.items.first(where: { $0.account == .mlDSA }) else {
            throw .identity(.ownBundle(.noItem, source))
        }
        let isOwn: Bool
        do throws(CheckedSeedError) {
            switch try PostQuantumSigningKey.read(item.value, known: [key]) {
            case .some(let own): isOwn = own.publicKey == key
            case .none: isOwn = false
            }
        } catch .memory(let error) {
            throw .secret(.memory(error), what: "identity")
        } catch {
            isOwn = false
        }
        guard isOwn else { throw .identity(.ownBundle(.otherKey, path)) }
        // A file that sxkey wrote has it already.
        let there = imported.items.filter { $0.account == .mlDSAPublic }
        guard there.allSatisfy({ $0.publicValue == key }) else { throw .identity(.ownBundle(.otherKey, path)) }
        guard there.isEmpty else { return }
        do throws(SecretMemoryError) {
            imported.add(PrivateItem(.mlDSAPublic, try SecretBytes(copying: key.span)))
        } catch {
            throw .secret(.memory(error), what: "identity")
        }
    }
}
