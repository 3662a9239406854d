import CommandKit
import CryptoPrimitives
import PortableBundle
import SystemIO

/// The outside of a `.sxb`.
struct PortableOutside: Report {
    let header: SXBHeader
    let path: FilePath

    func writeText(to stream: TextStream) {
        stream.line("\(path)")
        stream.line("  Kind         sxkey bundle, version \(header.version)")
        let count = header.recipients.count
        switch header.kind {
        case .passphrase: stream.line("  Opens with   \(count: count, "passphrase")")
        case .publicKey:
            stream.line(
                "  Opens with   \(count: count, "key"), each of an identity; whose they are the file does not say")
        }
        for (number, form) in header.recipients.enumerated() {
            stream.line("    \(number + 1)          \(form.title)")
        }
        let content = header.payload.count
        stream.line(
            "  Size         \(size: header.fileLength): header \(header.payload.lowerBound), content \(content) bytes")
        stream.line("  Bundle id    \(trusted: Hex.encode(header.bundleID.span))")
        stream.line("  Whole        \(trusted: "yes", .green): checksum of the header and length are right")
        stream.line(
            "  Not proven: that nobody changed it on purpose; \"sxkey bundle verify\" opens it and proves everything")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("kind", "sxb")
            json.member("version", header.version)
            json.member("opensWith", header.kind.rawValue)
            json.member("recipients") { json in
                json.array(header.recipients) { json, form in form.writeJSON(to: &json) }
            }
            json.member("bundleID", Hex.encode(header.bundleID.span))
            json.member("fileSize", header.fileLength)
            json.member("headerSize", header.payload.lowerBound)
            json.member("contentSize", header.payload.count)
            json.member("whole", true)
            json.member("authenticated", false)
        }
    }
}

extension SXBRecipientForm {
    var title: TerminalText {
        switch self {
        case .passphrase(let cost):
            "passphrase (Argon2id, \(Int(cost.memoryKiB) >> 10) MiB, \(count: Int(cost.passes), "pass", "passes"), \(count: Int(cost.lanes), "lane"))"
        case .x25519: "X25519 key"
        case .xWing: "X-Wing key (X25519 and ML-KEM-768)"
        case .unknown(let type): "\(quoted: type), of a later version; this sxkey passes it by"
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .passphrase(let cost):
                json.member("type", "argon2id")
                json.member("memoryKiB", Int(cost.memoryKiB))
                json.member("passes", Int(cost.passes))
                json.member("lanes", Int(cost.lanes))
            case .x25519: json.member("type", "x25519")
            case .xWing: json.member("type", "xwing")
            case .unknown(let type): json.member("type", type)
            }
        }
    }
}
