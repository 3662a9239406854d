import CommandKit
import SystemIO

/// Why a picture was not read or not made. Paths are the pictures', nil when one is made.
package enum ImageError: Error, Equatable {
    case notInstalled(lookedFor: [FilePath])
    /// It is there and cannot be run.
    case cannotStart(FileError)
    case connection(FileError)
    /// It cannot confine itself, and so reads nothing.
    case noSandbox
    case tookTooLong(FilePath?)
    case died(signal: Int32, FilePath?)
    /// Not what this version of the protocol says.
    case badAnswer
    case picture(PictureProblem, FilePath)

    /// What the helper says about a picture.
    package enum PictureProblem: Equatable, Sendable {
        case unknownFormat, truncated, damaged, animated, unsupported, tooManyScans, outOfMemory
        case tooLarge(width: Int, height: Int)
    }

    /// The words after `error` in the helper's answer.
    init(helperWords words: [String], _ path: FilePath?) {
        if words == ["no-sandbox"] {
            self = .noSandbox
            return
        }
        let problem: PictureProblem? =
            switch words.first {
            case "unknown-format": .unknownFormat
            case "truncated": .truncated
            case "damaged": .damaged
            case "animated": .animated
            case "unsupported": .unsupported
            case "too-many-scans": .tooManyScans
            case "out-of-memory": .outOfMemory
            case "too-large":
                if words.count == 3, let width = Int(words[1]), let height = Int(words[2]) {
                    .tooLarge(width: width, height: height)
                } else {
                    nil
                }
            default: nil
            }
        self = problem.flatMap { problem in path.map { .picture(problem, $0) } } ?? .badAnswer
    }
}

extension CommandError {
    static func image(_ error: ImageError) -> ErrorMessage {
        switch error {
        case .notInstalled(let places):
            let names = places.map { "\(quoted: $0)" as TerminalText }.joined(", ")
            return Self.error(
                .failure, "no-image-helper", "the program sxkey-image, which reads and writes pictures, is not there",
                places.isEmpty
                    ? ["without /proc it cannot be known where sxkey lies, and so where its helper does"]
                    : ["looked for \(names)", "\"make install\" installs both"])
        case .cannotStart(let failure):
            return Self.error(
                .failure, "no-image-helper", "cannot start \(quoted: failure.path): \(trusted: failure.reason)",
                ["it came with sxkey; install both again"])
        case .connection(let failure):
            return Self.error(
                .failure, "image-helper", "cannot talk to sxkey-image: \(trusted: failure.reason)",
                ["run the same command again"])
        case .noSandbox:
            return Self.error(
                .failure, "no-sandbox", "sxkey-image cannot lock itself in on this system, and so reads no picture",
                ["it needs a kernel with seccomp filters"])
        case .tookTooLong(let path):
            return Self.error(
                .failure, "image-helper", "sxkey-image took too long\(about(path)), and was stopped",
                ["a smaller picture is faster; cut the QR code out of it"])
        case .died(let signal, let path):
            return Self.error(
                .failure, "image-helper", "sxkey-image died of signal \(signal)\(about(path))",
                ["the picture may be damaged, or made to do harm; nothing else was touched"])
        case .badAnswer:
            return Self.error(
                .failure, "image-helper", "sxkey-image gave an answer that cannot be understood",
                ["it may be of another version than sxkey; install both again"])
        case .picture(let problem, let path): return picture(problem, path)
        }
    }

    private static func about(_ path: FilePath?) -> TerminalText {
        path.map { " over \(quoted: $0)" } ?? ""
    }

    private static func picture(_ problem: ImageError.PictureProblem, _ path: FilePath) -> ErrorMessage {
        let convert: TerminalText = "take a screenshot of it, or save it again as a plain PNG"
        let (code, reason, hints): (String, TerminalText, [TerminalText]) =
            switch problem {
            case .unknownFormat: ("unknown-format", "it is neither PNG nor JPEG", [convert])
            case .truncated: ("truncated", "the file ends before the picture does", ["copy or download it again"])
            case .damaged: ("damaged", "it is damaged", ["copy or download it again"])
            case .animated: ("animated", "it is an animation, not one picture", [convert])
            case .unsupported: ("unsupported", "it is a rare kind of JPEG", [convert])
            case .tooManyScans: ("too-many-scans", "it is a JPEG in more passes than cameras write", [convert])
            case .outOfMemory: ("out-of-memory", "it needs too much memory", ["cut the QR code out of it"])
            case .tooLarge(let width, let height):
                ("too-large", "\(width) × \(height) pixels are too many", ["cut the QR code out of it"])
            }
        return Self.error(
            problem == .outOfMemory ? .failure : .unreadable, code,
            "cannot read \(quoted: path): \(reason)", hints)
    }
}
