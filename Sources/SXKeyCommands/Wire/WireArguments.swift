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
        "a message, messages one a line, frames of a connection, or a queue of an app; \"-\" is standard input")
    static let keyFile = OptionSpecification.value(
        "key-file", short: "k", "FILE", .file,
        "the key of the store that an encrypted queue is of (default: storage.master of the keys)")
    static let options = [keyFile] + KeySource.options

    let paths: [FilePath]
    let source: KeySource
    private let keyFile: FilePath?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        source = try KeySource(arguments)
        keyFile = arguments.path("key-file")
        let uses = paths.count { $0 == "-" } + (keyFile == "-" ? 1 : 0) + (source.readsStandardInput ? 1 : 0)
        if uses > 1 { throw .other("standard input can be read for one thing only") }
    }

    /// Opens a file, and what is encrypted as a whole; `keys` are the ones that the command has opened already.
    func reader(_ path: FilePath, _ keys: OpenedKeys?, _ context: Context) throws(CommandError) -> CaptureReader {
        let input = try InputFile.forCommand(path)
        var reader: CaptureReader
        do throws(CaptureError) { reader = try CaptureReader.open(input) } catch { throw .capture(error, path) }
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
