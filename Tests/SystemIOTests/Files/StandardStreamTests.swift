import TestSupport
import Testing

@testable import SystemIO

@Suite("Standard streams")
struct StandardStreamTests {
    private let folder = TemporaryFolder()

    @Test("a reader that goes away is a closed pipe, told by no signal")
    func closedPipe() {
        let result = ChildProcess.run([
            "bash", "-c", "set -o pipefail; \"$0\" spew | head -c 5; echo \" ${PIPESTATUS[0]}\"", Probe.path,
        ])
        #expect(result.outputText == "a lin 141\n")
    }

    @Test("a full device is an error")
    func fullDevice() {
        let result = ChildProcess.run(["sh", "-c", "exec \"$0\" spew > /dev/full", Probe.path])
        #expect(result.status == 1)
        #expect(result.errorText == "write noSpace no space left on the device\n")
    }

    @Test(
        "with the standard streams closed, what is written to them never lands in a file", arguments: ["", "<&- 2>&-"])
    func closedStreams(more: String) throws {
        let path = folder.file("file")
        let result = ChildProcess.run(["sh", "-c", "exec \"$0\" closed-streams \"$1\" >&- \(more)", Probe.path, path])
        #expect(result.status == 1)
        #expect(folder.names.isEmpty)
    }
}
