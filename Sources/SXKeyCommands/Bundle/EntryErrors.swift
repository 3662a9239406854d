import CommandKit
import PortableBundle
import SystemIO

extension CommandError {
    /// `path` is the bundle or store that was read.
    static func entryError(_ failure: EntryError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read \(quoted: path): "
        switch failure {
        case .storeFile(let file, let reason):
            return error(
                reason.isDamage ? .unreadable : .failure, nil,
                "cannot read \(quoted: file): \(trusted: reason.reason)", ["\"sxkey store verify\" lists every file"])
        case .changed(let file):
            return error(
                .failure, "changed", "\(quoted: file) changed while it was read", ["close the app and run it again"])
        case .size(let entry, let declared, let found):
            return error(
                .unreadable, "damaged",
                cannot + "the entry \(quoted: entry) has \(found) bytes, and its manifest says \(declared)", [notOurs])
        case .hash(let entry):
            return error(
                .unreadable, "damaged", cannot + "the entry \(quoted: entry) is not what its manifest says", [notOurs])
        case .unexpected(let entry):
            return error(
                .unreadable, "damaged", cannot + "it has an entry \(quoted: entry) that its manifest does not name",
                [notOurs])
        case .missing(let entry):
            return error(
                .unreadable, "damaged", cannot + "the entry \(quoted: entry) of its manifest is not there", [notOurs])
        case .document(let reason): return document(reason, path)
        case .container(let failure): return sxbError(failure, path)
        case .file(let failure): return CommandError.output(failure).message
        case .memory, .outOfMemory: return error(.failure, "no-memory", cannot + "no memory")
        case .cipher: return error(.failure, nil, cannot + "the cipher of libcrypto failed")
        case .stopped: return error(.failure, nil, cannot + "reading was stopped")
        }
    }

    private static let notOurs: TerminalText =
        "it is authentic, so another program that knew the secret made it; no sxkey writes such a bundle"

    private static func document(_ reason: DocumentError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read \(quoted: path): "
        switch reason {
        case .notJSON(let document, let offset):
            return error(
                .unreadable, "not-json", cannot + "\(document) inside is no JSON object (byte \(offset))", [notOurs])
        case .otherFormat(let document):
            return error(.unreadable, "bad-document", cannot + "\(document) inside is of another format", [notOurs])
        case .newerVersion(let document, let found, let newest):
            return error(
                .newerVersion, nil,
                cannot + "\(document) inside has version \(found), and this sxkey knows versions up to \(newest)",
                ["a newer sxkey may open it; nothing was changed"])
        case .missing(let document, let key):
            return error(.unreadable, "bad-document", cannot + "\(document) inside has no \(quoted: key)", [notOurs])
        case .wrong(let document, let key):
            return error(
                .unreadable, "bad-document",
                cannot + "the value of \(quoted: key) in \(document) is not what it must be",
                [notOurs])
        case .repeatedKey(let document, let key):
            return error(
                .unreadable, "bad-document", cannot + "\(document) has \(quoted: key) more than once", [notOurs])
        case .tooLarge(let document, let found, let ceiling):
            return error(
                .unreadable, "too-large", cannot + "\(document) has \(size: found), more than \(size: ceiling)",
                [notOurs])
        case .tooMany(let document, let ceiling):
            return error(
                .unreadable, "too-many", cannot + "\(document) has more than \(count: ceiling) elements", [notOurs])
        case .repeatedEntry(let name):
            return error(.unreadable, "damaged", cannot + "it has two entries called \(quoted: name)", [notOurs])
        case .badEntryName(let name):
            return error(
                .unreadable, "bad-name", cannot + "an entry is called \(quoted: name), which leads elsewhere", [notOurs]
            )
        case .outOfMemory: return error(.failure, "no-memory", cannot + "no memory")
        }
    }
}
