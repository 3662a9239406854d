import CryptoPrimitives
import QRCodes
import SystemIO

/// The program beside sxkey that reads and writes pictures, running and waiting for its one request.
///
/// Start it before any key is opened, ask it afterwards: it is born from a process without secrets, and it never gets more
/// than a picture or the matrix of a QR code. It is never looked for on PATH or in the environment.
package struct ImageHelper: ~Copyable {
    private let process: HelperProcess

    static let name: FilePath = "sxkey-image"
    /// Bytes of a picture, as the helper has it too.
    package static let largestPicture = 32 << 20
    private static let longestAnswer = 8 << 20
    private static let patienceSeconds = 60
    /// Signal number of a process that has used up its processor time (SIGXCPU of Linux).
    private static let processorTimeSignal: Int32 = 24

    /// Starts the helper that is installed with the running program.
    package static func start() throws(CommandError) -> ImageHelper {
        try start(lookingIn: Self.places(of: ProcessSettings.executable()))
    }

    /// Starts the first of `places` that is there.
    static func start(lookingIn places: [FilePath]) throws(CommandError) -> ImageHelper {
        for place in places {
            do throws(HelperProcess.Failure) {
                return ImageHelper(process: try HelperProcess(starting: place))
            } catch {
                guard case .cannotStart(let code) = error else { throw .image(failure(error, nil)) }
                let reason = FileError(.open, place, code: code)
                if reason.kind == .notFound || reason.kind == .notFolder { continue }
                throw .image(.cannotStart(reason))
            }
        }
        throw .image(.notInstalled(lookedFor: places))
    }

    /// Beside the program, as it is built, and where `make install` puts it.
    static func places(of executable: FilePath?) -> [FilePath] {
        guard let folder = executable?.parent else { return [] }
        return [folder.appending(name), folder.parent.appending("libexec/sxkey").appending(name)]
    }

    /// The bytes of every QR code in a PNG or JPEG file, from top to bottom, each once. Empty when there is none.
    package consuming func scan(_ path: FilePath) throws(CommandError) -> [[UInt8]] {
        let picture: [UInt8]
        do throws(FileError) {
            var file = try InputFile(opening: path)
            picture = try file.readAll(limit: Self.largestPicture)
        } catch {
            throw .file(error)
        }
        return try scan(picture: picture, named: path)
    }

    /// The same for a picture that was read already; `path` is for error messages.
    package consuming func scan(picture: [UInt8], named path: FilePath) throws(CommandError) -> [[UInt8]] {
        guard picture.count <= Self.largestPicture else {
            throw .file(FileError(.read, path, .tooLarge(limit: Self.largestPicture)))
        }
        do throws(ImageError) {
            return try results("scan", picture, word: "code", path)
        } catch {
            throw .image(error)
        }
    }

    /// The code with its quiet zone as a PNG file in black and white.
    package consuming func png(of code: QRCode) throws(CommandError) -> [UInt8] {
        do throws(ImageError) {
            let pictures = try results("png", code.matrixText, word: "png", nil)
            guard pictures.count == 1, let picture = pictures.first else { throw ImageError.badAnswer }
            return picture
        } catch {
            throw .image(error)
        }
    }

    private init(process: consuming HelperProcess) {
        self.process = process
    }

    /// Sends one request and takes the answer apart (`Protocol.swift` of the helper).
    private consuming func results(
        _ action: String, _ bytes: [UInt8], word: String, _ path: FilePath?
    ) throws(ImageError) -> [[UInt8]] {
        let request = Array("sxkey-image 1 \(action) \(bytes.count)\n".utf8) + bytes
        let answer: [UInt8]
        do throws(HelperProcess.Failure) {
            answer = try process.answer(
                to: request.span, limit: Self.longestAnswer, milliseconds: Self.patienceSeconds * 1000)
        } catch {
            throw Self.failure(error, path)
        }
        return try Self.results(in: answer, word: word, path)
    }

    static func results(in answer: [UInt8], word: String, _ path: FilePath?) throws(ImageError) -> [[UInt8]] {
        var lines = answer.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, let first = lines.first else { throw .badAnswer }
        if first.starts(with: "error ".utf8) {
            let words = first.split(separator: UInt8(ascii: " ")).dropFirst().map {
                String(decoding: $0, as: UTF8.self)
            }
            throw lines.count == 1 ? ImageError(helperWords: words, path) : .badAnswer
        }
        guard first.elementsEqual("ok".utf8), lines.count >= 2, lines.last?.elementsEqual("end".utf8) == true else {
            throw .badAnswer
        }
        var results: [[UInt8]] = []
        let prefix = Array("\(word) ".utf8)
        for line in lines[1..<lines.count - 1] {
            guard line.starts(with: prefix), let bytes = Base64.decode(Array(line.dropFirst(prefix.count)).span) else {
                throw .badAnswer
            }
            results.append(bytes)
        }
        return results
    }

    private static func failure(_ failure: HelperProcess.Failure, _ path: FilePath?) -> ImageError {
        switch failure {
        case .tookTooLong, .killed(signal: processorTimeSignal): .tookTooLong(path)
        case .killed(let signal): .died(signal: signal, path)
        case .answerTooLarge, .failed: .badAnswer
        case .cannotStart(let code): .connection(FileError(.open, name, code: code))
        case .connection(let code): .connection(FileError(.read, name, code: code))
        }
    }
}
