import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// What the commands that look at captured and queued messages take.
struct WireArguments: Sendable {
    static let operand = OperandSpecification(
        "FILE", .file, .oneOrMore,
        "a message, messages one a line, frames of a connection, a queue of an app, or what btmessage, lchat or CoNET sealed; \"-\" is standard input"
    )
    static let keyFile = OptionSpecification.value(
        "key-file", short: "k", "FILE", .file,
        "the key of the store that an encrypted queue is of (default: storage.master of the keys)")
    static let options = [keyFile] + KeySource.options
    static let relatedOptions = options + RelatedKeySource.options

    let paths: [FilePath]
    let source: KeySource
    private let keyFile: FilePath?

    /// Nil for a command that does not read files of related apps.
    let related: RelatedKeySource?

    /// What a command does with files of related apps.
    enum RelatedUse {
        case none, look, open
    }

    init(_ arguments: ParsedArguments, related use: RelatedUse = .none) throws(UsageError) {
        related = use == .none ? nil : try RelatedKeySource(arguments, withKeys: use == .open)
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        source = try KeySource(arguments)
        keyFile = arguments.path("key-file")
        let uses =
            paths.count { $0 == "-" } + (keyFile == "-" ? 1 : 0) + (source.readsStandardInput ? 1 : 0)
            + (related?.readsStandardInput == true ? 1 : 0)
        if uses > 1 { throw .other("standard input can be read for one thing only") }
    }

    /// Whether keys of sxkey open nothing here: all files are OpenPGP messages, for which gpg has the keys.
    var needsNoKeys: Bool {
        paths.allSatisfy { path in
            guard path != "-", (try? fileStatus(at: path))?.kind == .regular, var input = try? InputFile(opening: path),
                let beginning = try? input.read(upTo: RelatedDocument.beginning)
            else { return false }
            return RelatedDocument.isOpenPGP(beginning)
        }
    }

    /// Opens a file and looks at its beginning.
    func look(_ path: FilePath) throws(CommandError) -> LookedFile {
        let input = try InputFile.forCommand(path)
        do throws(FileError) { return try LookedFile(input) } catch { throw .file(error) }
    }

    /// What a file has of a related app; nil for any other file.
    func document(_ file: inout LookedFile, _ path: FilePath) throws(CommandError) -> RelatedDocument? {
        guard let related else { return nil }
        do throws(RelatedFileError) {
            return try RelatedDocument.read(&file, as: related.kind)
        } catch {
            throw .relatedFile(error, path)
        }
    }

    /// Opens what is encrypted as a whole; `keys` are the ones that the command has opened already.
    func reader(
        _ file: consuming LookedFile, _ path: FilePath, _ keys: OpenedKeys?, _ context: Context
    ) throws(CommandError) -> CaptureReader {
        var reader: CaptureReader
        do throws(CaptureError) { reader = try CaptureReader.open(file) } catch { throw .capture(error, path) }
        guard reader.kind == nil else { return reader }
        guard let key = try key(keys, context) else { throw .capture(.encrypted, path) }
        do throws(CaptureError) { try reader.decrypt(with: key) } catch { throw .capture(error, path) }
        return reader
    }

    /// The key of a store: that of --key-file, else that of the keys.
    private func key(_ keys: OpenedKeys?, _ context: Context) throws(CommandError) -> SecretBytes? {
        if let keyFile { return try KeyFileOption.read(keyFile, context) }
        guard let key = try keys?.item(.storageMaster), key.count == StoreKey.length else { return nil }
        return key
    }
}

extension OpenedKeys {
    /// Everybody whose keys are known: one's own identities and the contacts, with the keys that they had before.
    var senderKeys: [SenderKey] {
        var senders: [SenderKey] = []
        if let publicKeys { senders.append(SenderKey(publicKeys, .own(username ?? []))) }
        for contact in contacts {
            for key in contact.keys {
                senders.append(
                    SenderKey(
                        key.keys,
                        .contact(contact.name.bytes, isVerified: key.mark != nil, isReplaced: !key.isCurrent)))
            }
        }
        return senders
    }
}
