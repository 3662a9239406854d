import CryptoPrimitives
import Foundation
import SophaxCore
import TestSupport

/// Sessions as an app's keychain has them, made from known keys, and dumps with them.
enum MadeSessions {
    static let macKey = [UInt8](repeating: 0x4D, count: 32)

    /// A session of whom wrote first, after `sent` messages, as the JSON object of its state.
    static func state(sent: Int = 3) throws -> [String: Any] {
        let secret = [UInt8](repeating: 0x51, count: 32)
        let preKey = try PreKeyPair(id: 7, privateKey: SecretBytes(copying: secret.span))
        var session = try RatchetSession(
            initiatorSecret: SecretBytes(copying: secret.span), signedPreKey: preKey.publicPreKey.key, random: nil)
        let text: [UInt8] = [1, 2, 3]
        for _ in 0..<sent { _ = try session.encrypt(text.span, ad: []) }
        let json = try session.state()
        let bytes = json.withSpan { span in span.indices.map { span[$0] } }
        guard let state = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            throw TestFailure()
        }
        return state
    }

    struct TestFailure: Error {}

    static func json(_ object: Any) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: object, options: .sortedKeys))
    }

    /// HMAC ‖ JSON.
    static func sealed(_ state: [UInt8], key: [UInt8] = macKey) throws -> [UInt8] {
        let secret = try SecretBytes(copying: key.span)
        return HMAC.code(for: state.span, key: secret, using: .sha256) + state
    }

    /// `keys` keys for messages that have not come, in `chains` chains.
    static func skipped(keys: Int, chains: Int) -> [String: Any] {
        var bundles: [String: [String: Any]] = [:]
        for index in 0..<keys {
            let chain = index % chains
            let label = Data([UInt8](repeating: UInt8(truncatingIfNeeded: chain + 1), count: 32)).base64EncodedString()
            let key = Data([UInt8](repeating: 0xEE, count: 32)).base64EncodedString()
            bundles[label, default: [:]]["\(index)"] = ["rawData": key]
        }
        return bundles
    }

    /// The state of the first app versions: the members of section 4.6.
    static func firstVersion() throws -> [String: Any] {
        var state = try state()
        for key in [
            "skippedKeyBundles", "sendingHeaderKey", "receivingHeaderKey", "nextSendingHeaderKey",
            "nextReceivingHeaderKey",
        ] {
            state[key] = nil
        }
        state["skippedMessageKeys"] = [Any]()
        return state
    }

    /// A dump with Alice's keys of the check values and these items.
    static func dump(_ items: [String: [UInt8]]) throws -> [UInt8] {
        var all = items
        all["identity.signing"] = Array(0...31)
        all["identity.dh"] = Array(32...63)
        all["user.username"] = Array("alice".utf8)
        return try json(all.mapValues { Data($0).base64EncodedString() })
    }

    /// All secrets of a state, in base64 and in hex.
    static func secrets(of state: [String: Any]) -> [String] {
        var found: [String] = []
        func collect(_ value: Any) {
            if let object = value as? [String: Any] {
                for (key, value) in object where !key.hasSuffix("PublicKey") { collect(value) }
            } else if let text = value as? String, let data = Data(base64Encoded: text), data.count == 32 {
                found += [text, data.map { String(format: "%02x", $0) }.joined()]
            }
        }
        collect(state)
        return found
    }
}
