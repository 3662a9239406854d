import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// Somebody whom a source speaks of, with what is odd about him.
struct SourcedPerson {
    let person: NewContact
    let warnings: [Warning]

    struct Warning {
        /// Stable word for scripts.
        let code: String
        let text: TerminalText
    }
}

/// `SOURCE` of `contact add` and `contact replace-key`: a link, or a file of any kind that has people in it.
struct ContactSource: Sendable {
    static let operand = OperandSpecification(
        "SOURCE", .file, .one,
        "a sophaxchat:// link, or a file: a link, a bundle of prekeys or hello message, a .sophaxbackup or .sxfe, a PNG or JPEG "
            + "of a QR code; \"-\" is standard input")
    static let peerOption = OptionSpecification.value(
        "peer", "NAME", .text, "of a backup, take only the contact of this name or peer id", isRepeatable: true)
    static let options =
        [peerOption, BundleArguments.kindOption] + PassphraseOption.specifications + [StoreArguments.jobs]

    let path: FilePath
    private let words: [[UInt8]]
    private let takesAll: Bool
    private let bundle: BundleArguments

    init(_ arguments: ParsedArguments, all: Bool) throws(UsageError) {
        path = arguments.operandPath("SOURCE")
        words = arguments.values("peer")
        takesAll = all
        bundle = try BundleArguments(opening: arguments, operand: "SOURCE")
        if all, !words.isEmpty { throw .conflict("all", "peer") }
    }

    /// The source is a backup, which can have many.
    struct Content {
        var people: [SourcedPerson] = []
        /// Contacts of a backup whose keys cannot be read, by name.
        var unreadable: [[UInt8]] = []
        var isBackup = false
    }

    /// Reads the source. No key of the keyring may be open yet: a picture is read by the helper.
    func read(_ context: Context) throws(CommandError) -> Content {
        if ContactLink.isLikely(path.bytes) { return try link(path.bytes) }
        let bytes = try fileBytes(context)
        if Self.isPicture(bytes) { return try picture(bytes, context) }
        return try content(bytes, context)
    }

    /// Bytes that are looked at to see what a file is.
    private static let head = 4096

    /// The whole file, as far as its kind may be large.
    private func fileBytes(_ context: Context) throws(CommandError) -> [UInt8] {
        var input = try InputFile.forCommand(path)
        do throws(FileError) {
            let head = try input.read(upTo: Self.head)
            guard head.count == Self.head else { return head }
            let limit: Int
            if Self.isPicture(head) {
                limit = ImageHelper.largestPicture
            } else if Self.isObject(head) {
                limit = PreKeyBundleFile.sizeCeiling
            } else if ContactLink.isLikely(head) {
                limit = ContactLink.longestText
            } else {
                limit = context.bundleLimits.sizeCeiling
                try checkHeader(head, max(input.size ?? limit, head.count), context)
            }
            return head + (try input.readAll(limit: max(limit, head.count) - head.count))
        } catch {
            throw error.kind == .notRegular ? .contact(.notASource(path)) : .file(error)
        }
    }

    /// What is no export is refused after its first bytes.
    private func checkHeader(_ head: [UInt8], _ size: Int, _ context: Context) throws(FileError) {
        do throws(BundleError) {
            _ = try BundleHeader.parse(
                head.span, fileSize: size, forcedKind: bundle.kind, fileName: path.lastComponent.bytes,
                limits: context.bundleLimits)
        } catch {
            // Everything else is said, in the bundle's own words, when it is opened.
            if case .notAnExport = error { throw FileError(.read, path, .notRegular) }
        }
    }

    /// The text of a JSON object, perhaps after a byte order mark.
    private static func isObject(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 > 0x20 && ![0xef, 0xbb, 0xbf].contains($0) } == UInt8(ascii: "{")
    }

    private func content(_ bytes: [UInt8], _ context: Context) throws(CommandError) -> Content {
        if ContactLink.isLikely(bytes) { return try link(bytes) }
        if Self.isObject(bytes) { return try preKeys(bytes, context) }
        let file: BundleFile
        do throws(BundleError) {
            file = try BundleFile(
                bytes: bytes, forcedKind: bundle.kind, fileName: path.lastComponent.bytes, limits: context.bundleLimits)
        } catch {
            if case .notAnExport = error { throw .contact(.notASource(path)) }
            throw .bundle(error, path)
        }
        return try backup(file, context)
    }

    // MARK: - Links and pictures

    private func link(_ text: [UInt8]) throws(CommandError) -> Content {
        let link: ContactLink
        do throws(ContactLinkError) {
            link = try ContactLink(parsing: text)
        } catch {
            throw .contact(.link(error, source: path))
        }
        let person: NewContact
        let defects: [ContactLink.Defect]
        switch link {
        case .card(let card):
            defects = card.defects
            person = NewContact(
                origin: .card, name: nil, keys: nil, claimedPeerIDs: [card.peerID], onion: card.onion,
                port: card.onion == nil ? nil : card.port)
        case .invite(let invite):
            defects = invite.defects
            person = NewContact(
                origin: .invite, name: .foreign(Array(invite.name.utf8)), keys: invite.keys,
                claimedPeerIDs: [invite.peerID])
        }
        let warnings = defects.map { SourcedPerson.Warning(code: $0.code, text: $0.meaning) }
        return Content(people: [SourcedPerson(person: person, warnings: warnings)])
    }

    /// The first bytes of PNG and JPEG files.
    static func isPicture(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) || bytes.starts(with: [0xff, 0xd8, 0xff])
    }

    private func picture(_ bytes: [UInt8], _ context: Context) throws(CommandError) -> Content {
        let codes = try ImageHelper.start().scan(picture: bytes, named: path)
        guard let code = codes.first else { throw .contact(.noCode(path)) }
        guard codes.count == 1 else { throw .contact(.severalCodes(path, codes.count)) }
        if ContactLink.isLikely(code) { return try link(code) }
        guard code.first == UInt8(ascii: "{") else { throw .contact(.notASource(path)) }
        return try preKeys(code, context)
    }

    // MARK: - Bundles of prekeys

    private func preKeys(_ bytes: [UInt8], _ context: Context) throws(CommandError) -> Content {
        let file: PreKeyBundleFile
        do throws(PreKeyFileError) {
            file = try PreKeyBundleFile.read(bytes)
        } catch {
            throw .preKeyFile(error, path)
        }
        let judgement = PreKeyJudgement(of: file, now: context.now)
        if judgement.signatureForm == nil || judgement.messageIsSigned == false {
            throw .contact(.badSignature(path))
        }
        if judgement.findings.contains(where: { $0.kind == .weakKey }) { throw .contact(.weakKey(path)) }
        // The age of a bundle matters to those who begin a session with it, not to whose keys these are.
        let warnings = judgement.findings.filter { $0.kind.isRisk && !$0.kind.dependsOnClock }.map {
            let detail: TerminalText = $0.detail.map { ": \($0)" } ?? ""
            return SourcedPerson.Warning(code: $0.kind.rawValue, text: "\(trusted: $0.kind.meaning)\(detail)")
        }
        let address = Self.address(file.bundle)
        let person = NewContact(
            origin: Self.origin(file.source), name: .foreign(file.bundle.username), keys: file.bundle.identityKeys,
            claimedPeerIDs: file.claimedPeerIDs.map(\.id), onion: address?.onion, port: address?.port)
        return Content(people: [SourcedPerson(person: person, warnings: warnings)])
    }

    private static func origin(_ source: PreKeyBundleFile.Source) -> NewContact.Origin {
        switch source {
        case .bundle: .bundle
        case .hello: .hello
        case .initiateSession: .initiateSession
        case .deviceLink: .deviceLink
        }
    }

    /// The address of a bundle, when it is the onion address of its own signing key.
    private static func address(_ bundle: PreKeyBundle) -> (onion: String, port: UInt16)? {
        let onion = OnionAddress(of: bundle.identityKeys).text
        let start = Array((onion + ":").utf8)
        guard let text = bundle.extras.tcpAddress, text.starts(with: start) else { return nil }
        return UInt16(String(decoding: text.dropFirst(start.count), as: UTF8.self)).map { (onion, $0) }
    }

    // MARK: - Backups

    private func backup(_ file: BundleFile, _ context: Context) throws(CommandError) -> Content {
        let content = try bundle.content(of: file, context)
        let peers = content.backup?.peers ?? []
        guard !peers.isEmpty else { throw .contact(.noPeers(path)) }
        let names = peers.map { Array($0.username.utf8) }
        var chosen = peers
        if !words.isEmpty {
            chosen = []
            for word in words {
                let found = Self.peers(named: word, in: peers)
                guard let first = found.first else { throw .contact(.noPeer(word, known: names)) }
                guard found.count == 1 else { throw .contact(.severalPeers(word)) }
                chosen.append(first)
            }
        } else if !takesAll, peers.count > 1 {
            throw .contact(.choosePeers(path, names))
        }
        var result = Content(isBackup: true)
        for peer in chosen {
            guard let keys = peer.publicKeys, Ed25519.isPublicKey(keys.signing.span), X25519.isPublicKey(keys.dh.span)
            else {
                result.unreadable.append(Array(peer.username.utf8))
                continue
            }
            result.people.append(Self.person(peer, keys))
        }
        return result
    }

    private static func peers(named word: [UInt8], in peers: [KnownPeer]) -> [KnownPeer] {
        let named = peers.filter { $0.username.utf8.elementsEqual(word) }
        if !named.isEmpty { return named }
        guard word.count >= Keyring.shortestPrefix else { return [] }
        return peers.filter {
            $0.id.bytes.starts(with: word) || $0.publicKeys?.fingerprint.hexBytes.starts(with: word) ?? false
        }
    }

    private static func person(_ peer: KnownPeer, _ keys: IdentityPublicKeys) -> SourcedPerson {
        var warnings: [SourcedPerson.Warning] = []
        if !peer.id.matches(keys.fingerprint) {
            warnings.append(
                .init(
                    code: "peer-id-mismatch",
                    text: "the id \(quoted: peer.id.bytes) of the backup is not the one of the keys"))
        }
        let numbers = SafetyNumberPair.Own.allCases.map { SafetyNumberPair.number($0, of: keys).text }
        if let number = peer.safetyNumber, !numbers.contains(number) {
            warnings.append(
                .init(
                    code: "safety-number-mismatch",
                    text: "the safety number \(quoted: number) of the backup is not the one of the keys"))
        }
        if !peer.isAccepted {
            warnings.append(
                .init(code: "not-accepted", text: "the request of this contact was not accepted on the phone"))
        }
        let person = NewContact(
            origin: .backup, name: .foreign(Array(peer.username.utf8)), keys: keys, claimedPeerIDs: [peer.id])
        return SourcedPerson(person: person, warnings: warnings)
    }
}
