import CommandKit
import SQLiteDatabase
import SystemIO

/// The outside of a sealed file: all that can be seen of it without its secret.
struct SealedOutside {
    let place: SealedPlace
    let header: SealedHeader
    let permissions: UInt32

    init(_ place: SealedPlace) throws(CommandError) {
        self.place = place
        do throws(FileError) {
            permissions = try fileStatus(at: place.path).permissions
        } catch {
            if error.kind == .notFound { throw .sealedAccess(.noFile(place.kind, place.path)) }
            throw .file(error)
        }
        header = try Self.header(place.kind, place.path)
    }

    static func header(_ kind: SealedFileKind, _ path: FilePath) throws(CommandError) -> SealedHeader {
        let header: SealedHeader
        do throws(SealedError) {
            header = try SealedDatabase.inspect(path)
        } catch {
            throw .sealed(error, kind, path)
        }
        guard header.kind == kind else { throw .sealed(.wrongKind(expected: kind, found: header.kind), kind, path) }
        return header
    }

    var isWell: Bool { place.exposures.isEmpty && !header.copies.contains(.damaged) }

    func writeLines(to stream: TextStream) {
        let mode = String(permissions & 0o777, radix: 8)
        stream.line("\(trusted: place.kind.title)      \(quoted: place.path)")
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

    /// `isAuthenticated`: the secret has opened it, so that what is told here is proven.
    func writeMembers(isAuthenticated: Bool, to json: inout JSONWriter) {
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
        json.member("authenticated", isAuthenticated)
    }
}

extension SealedFileKind {
    /// The name as a heading.
    fileprivate var title: String {
        switch self {
        case .keyring: "Keyring"
        case .archive: "Archive"
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
