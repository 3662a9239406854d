import CryptoPrimitives
import JSONCoding
import SophaxCore

/// Looks whether values are what an app reads under their accounts. Format: SophaxChat 5.
///
/// Values are looked at in guarded memory and never shown.
package enum ItemInspection {
    /// What is wrong with a value; nil for one that fits, and for an account that no app is known to have.
    ///
    /// A session in a form or version that only early apps read fits; `SessionExamination` says more of it.
    /// - Parameters:
    ///   - macKey: the item with the key for the HMAC of sessions, where there is one.
    ///   - signingKeys: ML-DSA public keys that are the identity's own.
    package static func problem(
        of value: borrowing SecretBytes, as account: ItemAccount, macKey: PrivateItem? = nil,
        signingKeys: [[UInt8]] = []
    ) -> ItemProblem? {
        guard let kind = account.kind else { return nil }
        do throws(ItemProblem) {
            try check(value, kind, macKey, signingKeys)
            return nil
        } catch {
            return error
        }
    }

    private static func check(
        _ value: borrowing SecretBytes, _ kind: ItemKind, _ macKey: PrivateItem?, _ signingKeys: [[UInt8]]
    ) throws(ItemProblem) {
        switch kind.shape {
        case .raw(let count): try require(count, value)
        case .checkedSeed(let form):
            do throws(CheckedSeedError) {
                _ = try CheckedSeed.read(value, as: form)
            } catch {
                throw ItemProblem(error)
            }
        case .signingSeed: try checkSigningSeed(value, signingKeys)
        case .bytes: guard value.count > 0 else { throw .empty }
        case .utf8:
            guard value.withSpan({ ItemText.isUTF8($0) }) else { throw .notUTF8 }
        case .jpeg:
            let isJPEG = value.withSpan { $0.count > 3 && $0[0] == 0xFF && $0[1] == 0xD8 && $0[2] == 0xFF }
            guard isJPEG else { throw .notJPEG }
        case .uint32: try require(4, value)
        case .double:
            try require(8, value)
            guard value.withSpan({ LittleEndian.double($0) })?.isFinite == true else { throw .notFinite }
        case .flag:
            try require(1, value)
            guard value.withSpan({ $0[0] < 2 }) else { throw .notAFlag }
        case .attempts:
            try require(12, value)
            guard value.withSpan({ LittleEndian.double($0.extracting(4..<12)) })?.isFinite == true else {
                throw .notFinite
            }
        case .session:
            guard let session = try? SessionExamination(value, macKey: macKey) else { throw .outOfMemory }
            if let finding = session.findings.first(where: { $0.kind.makesUnusual }) {
                throw finding.problem ?? .session(finding.kind)
            }
        case .json:
            do throws(FormatError) {
                try checkJSON(value, kind)
            } catch {
                throw ItemProblem(error)
            }
        }
    }

    private static func checkSigningSeed(
        _ value: borrowing SecretBytes, _ known: [[UInt8]]
    ) throws(ItemProblem) {
        let isKey: Bool
        do throws(CheckedSeedError) {
            let key = try PostQuantumSigningKey.read(value, known: known)
            switch key {
            case .some: isKey = true
            case .none: isKey = false
            }
        } catch {
            throw ItemProblem(error)
        }
        guard isKey else { throw .unknownLayout }
    }

    private static func require(_ count: Int, _ value: borrowing SecretBytes) throws(ItemProblem) {
        guard value.count == count else { throw .length(expected: count, found: value.count) }
    }

    // MARK: - JSON

    private static func checkJSON(_ value: borrowing SecretBytes, _ kind: ItemKind) throws(FormatError) {
        switch kind {
        case .ownSenderKey: try senderKey(try object(value))
        case .peerSenderKeys:
            try eachObject(of: try object(value)) { (state) throws(FormatError) in try senderKey(state) }
        case .skippedGroupKeys:
            try eachObject(of: try object(value)) { (keys) throws(FormatError) in
                try eachObject(of: keys) { (key) throws(FormatError) in
                    _ = try key.required("keyData", try key.secret("keyData", length: 32))
                    _ = try key.required("storedAt", try key.time("storedAt"))
                }
            }
        case .verifiedPeers, .pinnedMessages, .peerAliases: _ = try ItemText.texts(of: try object(value))
        case .blockedPeers: _ = try BlockedPeers(value)
        case .linkedDevices, .trustedWipePeers: _ = try ItemText.list(value, of: .string)
        case .seenWipes: try seenWipes(value)
        case .heldShares:
            let list = try ItemText.list(value, of: .object)
            for (index, member) in list.members.enumerated() {
                try share(try JSONObject(list.buffer, member.value, path: "[\(index)]."))
            }
        case .shareManifest:
            let manifest = try object(value)
            _ = try manifest.required("shareID", try manifest.text("shareID"))
            _ = try manifest.required("threshold", try manifest.integer("threshold", highest: 255))
            _ = try manifest.required("holderPeerIDs", try manifest.texts("holderPeerIDs", limit: 255))
            _ = try manifest.required("createdAt", try manifest.time("createdAt"))
        default: _ = try object(value)
        }
    }

    private static func object(_ value: borrowing SecretBytes) throws(FormatError) -> JSONObject {
        try JSONObject(secret: value, ceiling: ItemSeal.maximumLength)
    }

    private static func eachObject(
        of object: JSONObject, _ body: (JSONObject) throws(FormatError) -> Void
    ) throws(FormatError) {
        for entry in try object.entries(limit: ItemText.maximumEntries) {
            try body(try object.object(entry, String(decoding: entry.key, as: UTF8.self)))
        }
    }

    /// Format: SophaxChat 4.5.
    private static func senderKey(_ state: JSONObject) throws(FormatError) {
        _ = try state.required("chainKey", try state.secret("chainKey", length: 32))
        _ = try state.required("iteration", try state.uint32("iteration"))
        _ = try state.uint32("messageCount")
        _ = try state.time("createdAt")
        _ = try state.time("receivedAt")
    }

    /// Format: SophaxChat 4.7.
    private static func share(_ share: JSONObject) throws(FormatError) {
        _ = try share.required("id", try share.text("id"))
        _ = try share.required("index", try share.uint8("index"))
        _ = try share.required("threshold", try share.uint8("threshold"))
        _ = try share.required("total", try share.uint8("total"))
        _ = try share.required("data", try share.secret("data"))
        _ = try share.required("createdAt", try share.time("createdAt"))
    }

    /// Objects of id and time; an earlier version kept ids alone.
    private static func seenWipes(_ value: borrowing SecretBytes) throws(FormatError) {
        let list = try ItemText.list(value)
        for (index, member) in list.members.enumerated() where member.kind != .string {
            guard member.kind == .object else { throw .field("[\(index)]", .wrongType) }
            let entry = try JSONObject(list.buffer, member.value, path: "[\(index)].")
            _ = try entry.required("id", try entry.text("id"))
            _ = try entry.required("seenAt", try entry.time("seenAt"))
        }
    }
}

extension SessionFinding.Kind {
    /// No app takes such a session, whatever its version.
    var makesUnusual: Bool {
        switch self {
        case .notASession, .badState, .keyPairMismatch, .macWrong, .tooManySkippedKeys, .tooManyBundles,
            .counterExhausted:
            true
        case .replacedKey, .plainForm, .macKeyLength, .macNotVerified, .oldVersion, .counterNearEnd, .manySkippedKeys,
            .stale, .cannotSend, .unknownPerson:
            false
        }
    }
}
