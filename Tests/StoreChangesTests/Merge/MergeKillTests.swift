import CryptoPrimitives
import TestSupport
import Testing

/// Containers may forbid ptrace.
private let canTrace =
    ChildProcess.has("strace") && ChildProcess.run(["strace", "-qq", "-o", "/dev/null", "true"]).status == 0

/// The built program is killed from outside while it merges two stores.
@Suite("a merge that is killed through strace", .enabled(if: canTrace, "strace cannot trace here"))
struct MergeKillTests {
    private static let calls =
        ["renameat2", "syncfs", "unlink"]
        + (LongTests.areWanted ? ["mkdir", "fsync", "write", "ftruncate", "openat"] : [])
    private static let keyBytes: [UInt8] = Array(0..<32)
    private static let peer = "3619e750a2dd52ba978807b2a00df56d"

    private static func message(_ number: Int) -> String {
        #"{"id":"m\#(number)","peerID":"\#(peer)","direction":"sent","body":"hi","timestamp":\#(795_000_000 + number),"#
            + #""status":"read","isEdited":false}"#
    }

    private static func fill(_ folder: TemporaryFolder, _ name: String, _ numbers: ClosedRange<Int>) throws {
        for part in ["", "/sophax_messages", "/sophax_attachments"] { _ = folder.makeFolder(name + part) }
        var cipher = try AESGCM(key: SecretBytes(copying: keyBytes.span))
        let list = Array(("[" + numbers.map(message).joined(separator: ",") + "]").utf8)
        for (path, text) in [("sophax_messages/\(peer).enc", list), ("sophax_attachments/A\(numbers.lowerBound)", [1])]
        {
            let nonce = Random.bytes(12)
            folder.write(try cipher.sealCombined(text.span, nonce: nonce.span), to: "\(name)/\(path)")
        }
    }

    private static func run(_ folder: TemporaryFolder, tracing: [String] = [], _ arguments: [String]) -> ChildProcess {
        let key = folder.file("key")
        return ChildProcess.run(
            tracing + [ChildProcess.builtProducts + "/sxkey", "store"] + arguments + ["--key-file", key])
    }

    @Test(
        "at the Nth call of each kind: both stores are as they were, and the next run ends with a whole one",
        arguments: calls)
    func kills(call: String) throws {
        for number in 1...(LongTests.areWanted ? 60 : 2) {
            let folder = TemporaryFolder()
            folder.write(Self.keyBytes, to: "key")
            try Self.fill(folder, "a", 1...40)
            try Self.fill(folder, "b", 30...70)
            let sources = [FolderListing(folder.file("a")), FolderListing(folder.file("b"))]
            let merge = [
                "merge", folder.file("a"), folder.file("b"), "--out", folder.file("c"), "--key-file",
                folder.file("key"),
            ]
            let killed = Self.run(
                folder,
                tracing: [
                    "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                    "inject=\(call):signal=KILL:when=\(number)",
                ], merge)
            // It makes no more of these calls.
            if killed.status != 137 { break }
            let second = Self.run(folder, merge)
            // Where the first had come to its very end there is nothing to finish.
            #expect([0, 9].contains(second.status), "\(call) \(number): \(second.errorText)")
            #expect(sources == [FolderListing(folder.file("a")), FolderListing(folder.file("b"))])
            #expect(folder.names == ["a", "b", "c", "key"], "\(call) \(number)")
            #expect(FolderListing(folder.file("c")).names.count == 5, "\(call) \(number)")
            let verified = Self.run(folder, ["verify", folder.file("c")])
            let proven = "70 messages and 2 attachments are authentic"
            #expect(verified.outputText.contains(proven), "\(verified.outputText)")
        }
    }
}
