import Glibc

/// A file operation that did not happen: what was tried, on which path, and why not.
package struct FileError: Error, Hashable, Sendable {
    /// What was tried; the words fit after "cannot".
    package enum Operation: String, Hashable, Sendable {
        case open, read, write, list, create, rename, sync, close, remove
        case status = "look at"
        case lock, exchange
    }

    /// Why not, as far as a caller may want to act on it.
    package enum Kind: Hashable, Sendable {
        case notFound
        case exists
        case isFolder
        case notFolder
        case notRegular
        case permissionDenied
        case noSpace
        case closedPipe
        /// A named pipe that nobody opened for writing in time.
        case noWriter(seconds: Int)
        /// More bytes than the caller was ready to take.
        case tooLarge(limit: Int)
        /// The output is one of the inputs, under this or another name.
        case sameAsInput
        /// A descriptor that nobody opened, or opened for the other direction.
        case notOpen
        case other
    }

    package let operation: Operation
    package let path: FilePath
    package let kind: Kind
    /// The errno, 0 where the kernel did not refuse but this code did.
    package let code: Int32

    package init(_ operation: Operation, _ path: FilePath, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
        kind = Self.kind(of: code)
    }

    package init(_ operation: Operation, _ path: FilePath, _ kind: Kind) {
        self.operation = operation
        self.path = path
        self.kind = kind
        code = 0
    }

    /// Why it failed in plain words, lower case, no full stop, without the path.
    package var reason: String {
        switch kind {
        case .notFound: "no such file or folder"
        case .exists: "it exists already"
        case .isFolder: "it is a folder"
        case .notFolder: "it is not a folder"
        case .notRegular: "it is not a regular file"
        case .permissionDenied: "permission denied"
        case .noSpace: code == EDQUOT ? "disk quota exceeded" : "no space left on the device"
        case .closedPipe: "the reader closed the pipe"
        case .noWriter(let seconds): "nobody opened this named pipe for writing within \(seconds) seconds"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .sameAsInput: "it is the same file as an input"
        case .notOpen: "it is not open"
        case .other: systemMessage(code)
        }
    }

    private static func kind(of code: Int32) -> Kind {
        switch code {
        case ENOENT: .notFound
        case EEXIST: .exists
        case EISDIR: .isFolder
        case ENOTDIR: .notFolder
        case EACCES, EPERM: .permissionDenied
        case ENOSPC, EDQUOT: .noSpace
        case EPIPE: .closedPipe
        case EBADF: .notOpen
        default: .other
        }
    }
}

/// The C library's words for an errno, with a small first letter to fit inside a sentence.
func systemMessage(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    let message = unsafe String(cString: text)
    let scalars = message.unicodeScalars
    guard let first = scalars.first, scalars.dropFirst().first?.properties.isLowercase == true else { return message }
    return first.properties.lowercaseMapping + String(scalars.dropFirst())
}
