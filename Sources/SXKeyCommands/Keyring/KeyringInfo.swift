import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import SystemIO

/// `sxkey keyring info`
struct KeyringInfo: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "info",
        summary: "show what can be seen of the keyring without its secret",
        discussion: [
            "Where it is, its size and permissions, the version of the format, how often its secrets were changed, and what each slot "
                + "costs. Nothing of this is authenticated: \"sxkey keyring verify\" proves the content."
        ],
        options: [KeyringOptions.keyring],
        examples: [
            Example("sxkey keyring info --keyring sample.sxdb", "look at a keyring"),
            Example("sxkey keyring info --keyring sample.sxdb --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.finding, "others have access to it, or a copy of its header is damaged"),
            StatusNote(.unreadable), StatusNote(.newerVersion), StatusNote(.notFound),
        ]
    )

    private let named: FilePath?

    init(_ arguments: ParsedArguments) {
        named = arguments.path("keyring")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let place = try KeyringPlace(named: named, context)
        let outside = try KeyringOutside(place)
        context.console.present(outside)
        return outside.isWell ? .success : .finding
    }
}

/// The outside of a keyring.
struct KeyringOutside: Report {
    let place: KeyringPlace
    let header: SealedHeader
    let permissions: UInt32

    init(_ place: KeyringPlace) throws(CommandError) {
        self.place = place
        do throws(FileError) {
            permissions = try fileStatus(at: place.path).permissions
        } catch {
            if error.kind == .notFound { throw .keyringAccess(.noKeyring(place.path)) }
            throw .file(error)
        }
        header = try Self.header(place.path)
    }

    static func header(_ path: FilePath) throws(CommandError) -> SealedHeader {
        let header: SealedHeader
        do throws(SealedError) {
            header = try SealedDatabase.inspect(path)
        } catch {
            throw .keyring(.sealed(error), path)
        }
        guard header.kind == .keyring else {
            throw .keyring(.sealed(.wrongKind(expected: .keyring, found: header.kind)), path)
        }
        return header
    }

    var isWell: Bool { place.exposures.isEmpty && !header.copies.contains(.damaged) }

    func writeText(to stream: TextStream) {
        let mode = String(permissions & 0o777, radix: 8)
        stream.line("Keyring      \(quoted: place.path)")
        stream.line("  Format     version \(header.version), \(count: header.pages, "page"), \(size: header.fileSize)")
        stream.line("  Header     generation \(count: Int(clamping: header.generation)), \(trusted: copies)")
        stream.line("  Mode       0\(trusted: mode)")
        for slot in header.slots {
            stream.line("  Slot \(slot.number)     \(trusted: slot.form.title)")
        }
        for exposure in place.exposures { stream.line("  \(trusted: "WARNING", .yellow)    \(exposure.text)") }
        if header.copies.contains(.damaged) {
            stream.line(
                "  \(trusted: "WARNING", .yellow)    one copy of the header is damaged; the next change mends it")
        }
        stream.line("  Not proven: without the secret nothing of this is authenticated")
    }

    private var copies: String {
        if header.copies.allSatisfy({ $0 == .whole }) { return "both copies whole" }
        return header.copies.enumerated().map { number, state in
            switch state {
            case .whole: "copy \(number) whole"
            case .older: "copy \(number) older (a change was interrupted)"
            case .damaged: "copy \(number) damaged"
            }
        }.joined(separator: ", ")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", place.path.bytes)
            json.member("version", header.version)
            json.member("generation", Int(clamping: header.generation))
            json.member("fileSize", header.fileSize)
            json.member("pages", header.pages)
            json.member("mode", String(permissions & 0o777, radix: 8))
            json.member("headerCopies") { json in
                json.array(header.copies) { json, state in
                    json.value(state == .whole ? "whole" : state == .older ? "older" : "damaged")
                }
            }
            json.member("slots") { json in
                json.array(header.slots) { json, slot in slot.writeJSON(to: &json) }
            }
            json.member("exposed") { json in
                json.array(place.exposures) { json, exposure in json.value(exposure.path.bytes) }
            }
            json.member("authenticated", false)
        }
    }
}

extension SlotForm {
    /// What opens it and what that costs, for people.
    var title: String {
        switch self {
        case .passphrase(let cost):
            "a passphrase (Argon2id, \(cost.memoryKiB >> 10) MiB, \(Quantity.count(Int(cost.passes), "pass", "passes")), "
                + "\(Quantity.count(Int(cost.lanes), "lane")))"
        case .keyFile: "a key file"
        case .unknown(let form): "something that a newer sxkey knows (form \(form))"
        }
    }

    /// The word in JSON.
    var word: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key-file"
        case .unknown: "unknown"
        }
    }
}

extension SealedHeader.Slot {
    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("slot", number)
            json.member("secret", form.word)
            if case .passphrase(let cost) = form {
                json.member("memoryKiB", Int(cost.memoryKiB))
                json.member("passes", Int(cost.passes))
                json.member("lanes", Int(cost.lanes))
            }
        }
    }
}
