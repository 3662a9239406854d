import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Process settings")
struct ProcessSettingsTests {
    private let folder = TemporaryFolder()

    @Test("secrets are protected from core files and other users")
    func protection() {
        let result = ChildProcess.run([Probe.path, "protect", folder.file("file")])
        #expect(result.outputText == "core 0 0 umask 77\n")
        #expect(result.status == 0)
        #expect(folder.names == ["file"])
    }

    @Test(
        "a protected process of an ordinary user can still name its files",
        .enabled(if: geteuid() == 0 && ChildProcess.has("setpriv"), "needs root to become another user"))
    func ordinaryUser() {
        chmod(folder.path, 0o777)
        // The build folder may be closed to that user, so the program is copied out of it.
        let script = """
            cp "$0" "$1/probe" && exec setpriv --reuid=65534 --clear-groups "$1/probe" protect "$1/file"
            """
        let result = ChildProcess.run(["bash", "-c", script, Probe.path, folder.path])
        #expect(result.errorText == "")
        #expect(result.status == 0)
        #expect(folder.names == ["file", "probe"])
    }

    @Test("arguments keep bytes that are not UTF-8")
    func arguments() {
        let result = ChildProcess.run(["bash", "-c", "exec \"$0\" arguments $'a\\xff' '' 'b c'", Probe.path])
        #expect(result.outputText == "97 255\n\n98 32 99\n")
    }

    @Test("a variable that is empty differs from one that is not set")
    func environment() {
        setenv("SXKEY_TEST_EMPTY", "", 1)
        #expect(ProcessSettings.environment("SXKEY_TEST_EMPTY") == [])
        #expect(ProcessSettings.environment("SXKEY_TEST_UNSET") == nil)
    }
}
