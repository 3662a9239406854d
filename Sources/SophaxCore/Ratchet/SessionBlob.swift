import CryptoPrimitives
import JSONCoding

/// How the app keeps the state of a session in its keychain. Format: SophaxChat 5.3.
public enum SessionBlob {
    /// The two forms that the app has used.
    public enum Form: Hashable, Sendable {
        /// JSON alone: the first versions. Later ones refuse it.
        case plain
        /// HMAC-SHA-256 of the JSON under the key of all sessions, 32 bytes, before the JSON.
        case authenticated
    }

    /// What is known of a state's origin.
    public enum Verdict: Hashable, Sendable {
        /// The code is the one of the JSON under the key.
        case authentic
        /// The code is another: the state was changed, or the key belongs to other sessions.
        case forged
        /// There is a code, and no key to verify it with.
        case notVerified
        /// The form has no code.
        case noCode
    }

    /// What was in a blob.
    public struct Content: ~Copyable, Sendable {
        /// The state's JSON, for `RatchetSession.init(state:)`. A forged one is for looking at, never for use.
        public let state: SecretBytes
        public let form: Form
        public let verdict: Verdict
    }

    /// Why a blob could not be read.
    public enum Failure: Error, Equatable, Sendable {
        /// Neither JSON nor a code with JSON behind it.
        case notASession
        /// The code is not that of the state under the key: the state was changed, or the key belongs to other sessions.
        case notAuthentic
        /// A state without a code, as the first app versions kept it.
        case noCode
        /// A key of another length than 32 bytes, which no app makes.
        case macKeyLength(found: Int)
        /// More bytes than a state has.
        case tooLarge(found: Int, ceiling: Int)
        /// The guarded memory could not be had.
        case memory(SecretMemoryError)
    }

    /// Length of the code in bytes.
    public static let codeLength = 32

    /// Length of the key of the code in bytes.
    public static let macKeyLength = 32

    /// The state of an authentic blob, for `RatchetSession.init(state:)`: what a daemon reads.
    /// - Parameter macKey: the item `session.mac_key`, 32 bytes.
    /// - Throws: any `Failure`; `.notAuthentic` and `.noCode` for what `read` tells by its verdict.
    public static func open(
        _ blob: borrowing SecretBytes, macKey: borrowing SecretBytes
    ) throws(Failure) -> SecretBytes {
        let content = try read(blob, macKey: macKey)
        switch content.verdict {
        case .authentic: return try part(content.state, 0..<content.state.count)
        case .noCode: throw .noCode
        case .forged, .notVerified: throw .notAuthentic
        }
    }

    /// Takes a blob apart and verifies its code, to look at a state whatever became of it; `open` is for going on with one.
    ///
    /// Whether the JSON is the state of a session is not looked at. JSON alone begins with `{` and is JSON to its end; so
    /// may one blob in 256 with a code begin, but not be.
    /// - Parameter macKey: the item `session.mac_key`, 32 bytes.
    public static func read(
        _ blob: borrowing SecretBytes, macKey: borrowing SecretBytes?
    ) throws(Failure) -> Content {
        switch macKey {
        case .some(let key): try check(key)
        case .none: break
        }
        let ceiling = RatchetStateReader.ceiling + codeLength
        guard blob.count <= ceiling else { throw .tooLarge(found: blob.count, ceiling: ceiling) }
        let brace = UInt8(ascii: "{")
        if blob.withSpan({ $0.count > 0 && $0[0] == brace }), isJSON(blob) {
            return Content(state: try part(blob, 0..<blob.count), form: .plain, verdict: .noCode)
        }
        guard blob.withSpan({ $0.count > codeLength && $0[codeLength] == brace }) else { throw .notASession }
        let state = try part(blob, codeLength..<blob.count)
        let verdict: Verdict = macKey == nil ? .notVerified : hasCode(blob, state, macKey) ? .authentic : .forged
        return Content(state: state, form: .authenticated, verdict: verdict)
    }

    /// Takes a blob apart and verifies its code with a key that is there, see `read(_:macKey:)` for one that may not be.
    public static func read(
        _ blob: borrowing SecretBytes, macKey: borrowing SecretBytes
    ) throws(Failure) -> Content {
        // A value that cannot be copied is not lent as an optional one.
        let key: SecretBytes?
        do throws(SecretMemoryError) { key = try macKey.copy() } catch { throw .memory(error) }
        return try read(blob, macKey: key)
    }

    /// The blob that later app versions read: code and state.
    /// - Throws: `.macKeyLength`, `.memory`.
    public static func seal(
        _ state: borrowing SecretBytes, macKey: borrowing SecretBytes
    ) throws(Failure) -> SecretBytes {
        try check(macKey)
        do throws(SecretMemoryError) {
            let code = try state.withSpan { text throws(SecretMemoryError) in
                try HMAC.secretCode(for: text, key: macKey, using: .sha256)
            }
            return try code.appending(state)
        } catch {
            throw .memory(error)
        }
    }

    private static func check(_ macKey: borrowing SecretBytes) throws(Failure) {
        guard macKey.count == macKeyLength else { throw .macKeyLength(found: macKey.count) }
    }

    private static func isJSON(_ text: borrowing SecretBytes) -> Bool {
        (try? JSONObject(secret: text, ceiling: RatchetStateReader.ceiling)) != nil
    }

    private static func hasCode(
        _ blob: borrowing SecretBytes, _ state: borrowing SecretBytes, _ macKey: borrowing SecretBytes?
    ) -> Bool {
        blob.withSpan { blob in
            state.withSpan { state in
                switch macKey {
                case .some(let key):
                    HMAC.isValid(blob.extracting(first: codeLength), for: state, key: key, using: .sha256)
                case .none: false
                }
            }
        }
    }

    private static func part(_ blob: borrowing SecretBytes, _ range: Range<Int>) throws(Failure) -> SecretBytes {
        do throws(SecretMemoryError) { return try blob.slice(range) } catch { throw .memory(error) }
    }
}
