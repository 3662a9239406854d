import CryptoPrimitives
import JSONCoding

/// A share sealed for the friend who is to hold it.
///
/// The box is the apps': ephemeral X25519 key, HKDF-SHA256 without salt, info `SophaxChat_SSS_Share_v1`, ChaChaPoly over the
/// share's JSON, nothing authenticated beside it. Around it are the fields of the apps' `sssShareDelivery`, and what sxkey
/// adds. Format: SophaxChat 4.7 and 8.8, sxkey-formats(5).
package struct HeldShare: Hashable, Sendable {
    /// What sxkey adds: between whom the share goes.
    package struct Note: Hashable, Sendable {
        package let owner: IdentityShare.Owner
        package let holder: IdentityShare.Owner
        package let index: UInt8

        package init(owner: IdentityShare.Owner, holder: IdentityShare.Owner, index: UInt8) {
            self.owner = owner
            self.holder = holder
            self.index = index
        }
    }

    package let shareID: [UInt8]
    /// X25519, 32 bytes.
    package let ephemeralPublicKey: [UInt8]
    /// Nonce ‖ ciphertext ‖ tag.
    package let encryptedShare: [UInt8]
    /// Nil in what a holder's app sends back (`sssShareResponse`).
    package let senderPeerID: PeerID?
    package let threshold: UInt8?
    package let total: UInt8?
    /// Nil in what an app made.
    package let note: Note?

    static let info = Array("SophaxChat_SSS_Share_v1".utf8)
    /// The text of a sealed share is shorter.
    package static let maximumText = 16_384

    // MARK: - Sealing and opening

    /// Seals `share` for the owner of an X25519 key.
    package static func seal(
        _ share: IdentityShare, for holder: IdentityShare.Owner, dh: [UInt8], random: RandomSource
    ) throws(HeldShareError) -> HeldShare {
        let ephemeral: SecretBytes
        do throws(SecretMemoryError) { ephemeral = try random.secret(X25519.keyLength) } catch { throw .memory(error) }
        let text: SecretBytes
        do throws(SecretMemoryError) { text = try share.text(.sxkey) } catch { throw .memory(error) }
        let publicKey: [UInt8]
        do throws(KeyAgreementError) { publicKey = try X25519.publicKey(of: ephemeral) } catch {
            throw HeldShareError(error)
        }
        let key = try key(ephemeral, dh)
        let box: [UInt8]
        do throws(AEADError) {
            var cipher = try ChaChaPoly(key: key)
            box = try text.withSpan { text throws(AEADError) in try cipher.sealCombined(text) }
        } catch {
            throw HeldShareError(error)
        }
        return HeldShare(
            shareID: share.id, ephemeralPublicKey: publicKey, encryptedShare: box,
            senderPeerID: share.owner.map { PeerID($0.fingerprint, form: .hex32) }, threshold: share.threshold,
            total: share.total,
            note: share.owner.map { Note(owner: $0, holder: holder.shortened, index: share.index) })
    }

    /// The JSON of the share, opened with the holder's private DH key.
    package func open(with dhPrivate: borrowing SecretBytes) throws(HeldShareError) -> SecretBytes {
        let key = try Self.key(dhPrivate, ephemeralPublicKey)
        do throws(AEADError) {
            var cipher = try ChaChaPoly(key: key)
            return try cipher.openCombined(encryptedShare.span)
        } catch {
            throw HeldShareError(error)
        }
    }

    /// The share in the box, when it is the one that stands around it.
    ///
    /// Nothing around the box is bound to it: anybody can write another index or owner there and make a check value for it. So
    /// whatever both say must be the same, else `.changed`; what an app leaves out around the box is not compared.
    package func openShare(with dhPrivate: borrowing SecretBytes) throws(HeldShareError) -> IdentityShare {
        let text = try open(with: dhPrivate)
        let share: IdentityShare
        do throws(IdentityShareError) { share = try IdentityShare.read(text) } catch { throw .share(error) }
        guard share.id == shareID, threshold == nil || threshold == share.threshold,
            total == nil || total == share.total, note == nil || note?.index == share.index,
            note == nil || share.owner == nil || note?.owner == share.owner
        else { throw .changed }
        return share
    }

    private static func key(
        _ privateKey: borrowing SecretBytes, _ publicKey: [UInt8]
    ) throws(HeldShareError) -> SecretBytes {
        let shared: SecretBytes
        do throws(KeyAgreementError) {
            shared = try X25519.sharedSecret(privateKey: privateKey, publicKey: publicKey.span)
        } catch {
            throw HeldShareError(error)
        }
        do throws(KeyDerivationError) {
            return try HKDF.derive(inputKey: shared, info: info.span, length: AEADSize.key, using: .sha256)
        } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .libraryFailure
        }
    }
}

// MARK: - JSON

extension HeldShare {
    /// Whether an object is a sealed share and not a plain one.
    package static func isSealed(_ object: JSONObject) -> Bool { object.has("encryptedShare") }

    /// Reads a sealed share: sxkey's, or the payload of an app's `sssShareDelivery` or `sssShareResponse`.
    package static func read(_ object: JSONObject) throws(HeldShareError) -> HeldShare {
        let share: HeldShare
        var (newer, check): (UInt64?, [UInt8]?)
        do throws(FormatError) {
            var note: Note?
            if let added = try object.object("sxkey") {
                let version = try IdentityShare.version(of: added)
                if version > IdentityShare.version {
                    newer = version
                } else {
                    note = try Self.note(added)
                    check = try added.required("check", added.data("check", length: IdentityShare.checkLength))
                }
            }
            try IdentityShare.checkNoDamagedNote(in: object)
            let box = try object.required("encryptedShare", object.data("encryptedShare"))
            guard box.count >= AEADSize.overhead else {
                throw object.problem("encryptedShare", .wrongLength(expected: AEADSize.overhead, found: box.count))
            }
            share = HeldShare(
                shareID: try object.required("shareID", object.text("shareID")),
                ephemeralPublicKey: try object.required(
                    "ephemeralPublicKey", object.data("ephemeralPublicKey", length: X25519.keyLength)),
                encryptedShare: box, senderPeerID: try object.text("senderPeerID").map { PeerID(bytes: $0) },
                threshold: try object.uint8("threshold"), total: try object.uint8("total"), note: note)
        } catch {
            throw .format(error)
        }
        if let newer { throw .newerVersion(found: newer) }
        if let check {
            guard share.check == check else { throw .changed }
        }
        return share
    }

    private static func note(_ object: JSONObject) throws(FormatError) -> Note {
        Note(
            owner: try person("owner", in: object), holder: try person("holder", in: object),
            index: try object.required("index", object.uint8("index")))
    }

    private static func person(
        _ key: StaticString, in object: JSONObject
    ) throws(FormatError) -> IdentityShare.Owner {
        try IdentityShare.Owner(object.required(key, object.object(key)))
    }

    /// The JSON, all ASCII, without a line end. Nothing in it is a secret to whom the box is closed.
    package var text: [UInt8] {
        var text = JSONObjectText()
        text.add("shareID", json: ASCIIText.quoted(shareID))
        text.add("ephemeralPublicKey", data: ephemeralPublicKey)
        text.add("encryptedShare", data: encryptedShare)
        text.add("senderPeerID", text: senderPeerID?.bytes)
        text.add("threshold", integer: threshold)
        text.add("total", integer: total)
        if let note {
            var added = JSONObjectText()
            added.add("version", integer: IdentityShare.version)
            added.add("index", integer: note.index)
            added.add("owner", json: note.owner.json)
            added.add("holder", json: note.holder.json)
            added.add("check", data: check)
            text.add("sxkey", json: added.finished)
        }
        return text.finished
    }

    /// 16 bytes of SHA-256 over all that stands around and in the box.
    private var check: [UInt8] {
        var text = CheckedText("sxkey held share 1")
        text.add(shareID)
        text.add(ephemeralPublicKey)
        text.add(encryptedShare)
        text.add(senderPeerID?.bytes ?? [])
        text.add([threshold ?? 0, total ?? 0, note?.index ?? 0])
        for person in [note?.owner, note?.holder] {
            text.add(person?.name ?? [])
            text.add(person?.fingerprint.bytes ?? [])
        }
        return Array(text.finish().prefix(IdentityShare.checkLength))
    }
}

extension IdentityShare.Owner {
    /// The fields `name` and `fingerprint`.
    init(_ object: JSONObject) throws(FormatError) {
        let name = try object.required("name", object.text("name"))
        guard name.count <= IdentityShare.maximumName else {
            throw object.problem("name", .tooLong(limit: IdentityShare.maximumName, found: name.count))
        }
        let digits = try object.required("fingerprint", object.text("fingerprint"))
        do throws(IdentityError) {
            self.init(name: name, fingerprint: try Fingerprint(hex: digits.span))
        } catch {
            throw object.problem("fingerprint", .wrongLength(expected: 2 * Fingerprint.length, found: digits.count))
        }
    }

    fileprivate var json: [UInt8] {
        var text = JSONObjectText()
        text.add("name", json: ASCIIText.quoted(name))
        text.add("fingerprint", text: fingerprint.hexBytes)
        return text.finished
    }
}

extension HeldShareError {
    init(_ error: KeyAgreementError) {
        switch error {
        case .keyLength, .allZero: self = .publicKey
        case .memory(let memory): self = .memory(memory)
        case .libraryFailure: self = .libraryFailure
        }
    }

    init(_ error: AEADError) {
        switch error {
        case .notAuthentic: self = .notAuthentic
        case .memory(let memory): self = .memory(memory)
        case .tooShort, .tooLong, .keyLength, .nonceLength, .tagLength, .libraryFailure: self = .libraryFailure
        }
    }
}
