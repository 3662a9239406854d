import CommandKit
import CryptoPrimitives
import History
import JSONCoding
import SophaxFiles
import StoreChanges

/// What a change kept beside the lists of the app, as lines of an export: nothing that a store holds stays out of it.
///
/// Format: "Entries kept aside" in sxkey-formats(5).
struct AsideExport {
    let entries: [AsideEntry]
    /// Why the entries could not be read.
    let loss: HistoryLoss?

    /// The entries of a store; none where it has no such file, or not one of ours.
    init(_ folder: StoreFolder, key: borrowing SecretBytes) throws(CommandError) {
        guard let file = folder.blobs.first(where: { $0.kind == .blob(.refusedMessages) }) else {
            (entries, loss) = ([], nil)
            return
        }
        do throws(StoreFileFailure) {
            var reader = try StoreFileReader(key: key)
            entries = AsideList.entries(try reader.bytes(of: file)) ?? []
            loss = nil
        } catch {
            (entries, loss) = ([], HistoryLoss(ByteText(file.path.bytes), .conversations, .file(error)))
        }
    }

    /// One JSON object a line.
    var lines: [UInt8] {
        var json = JSONWriter()
        var lines: [UInt8] = []
        for entry in entries {
            json.object { json in
                json.member("type", "aside")
                json.member("conversation", entry.conversation.text.bytes)
                json.member("file", entry.file.bytes)
                json.member("reason", entry.reason.code)
                let isOneLine = !entry.source.contains(0x0A) && !entry.source.contains(0x0D)
                if isOneLine, entry.source.first == UInt8(ascii: "{"), StrictJSON.isObject(entry.source) {
                    json.member("source") { json in json.raw(entry.source) }
                } else {
                    json.member("sourceBase64", Base64.encode(entry.source.span))
                }
            }
            lines += json.takeBytes() + [0x0A]
        }
        return lines
    }
}
