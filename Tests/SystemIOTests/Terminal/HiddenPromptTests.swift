import TestSupport
import Testing

@testable import SystemIO

/// The terminal is a pseudo-terminal that a Python script holds: it types, sends signals, and looks at the echo.
@Suite("Hidden prompt", .enabled(if: TerminalSession.isThere, "needs python3"))
struct HiddenPromptTests {
    private func session(_ steps: String) -> String {
        let result = TerminalSession.run([Probe.path, "prompt"], steps)
        return result.outputText + result.errorText
    }

    @Test("what is typed is not shown and comes to the program, and the echo is on again")
    func typing() {
        #expect(
            session(
                """
                wait_for(b"Passphrase: "); print("echo", echo()); type_in(b"s3cret p\\xc3\\xa4ss\\n"); end()
                """) == "echo False\nPassphrase: \ngot s3cret p\u{e4}ss\nstatus 0 echo True\n")
    }

    @Test("an interrupt turns the echo on again", arguments: [("\\x03", 130), ("\\x1c", 131)])
    func interrupt(key: String, status: Int) {
        let said = session("wait_for(b'Passphrase: '); type_in(b'abc'); type_in(b'\(key)'); end()")
        #expect(said.hasSuffix("status \(status) echo True\n"))
        #expect(!said.contains("abc"))
    }

    @Test("other signals turn the echo on again", arguments: [("SIGTERM", 143), ("SIGHUP", 129), ("SIGALRM", 142)])
    func signals(name: String, status: Int) {
        let said = session("wait_for(b'Passphrase: '); type_in(b'abc'); os.kill(pid, signal.\(name)); end()")
        #expect(said.hasSuffix("status \(status) echo True\n"))
    }

    @Test("a stopped program gives the echo back and hides again when it goes on")
    func stopping() {
        #expect(
            session(
                """
                wait_for(b"Passphrase: ")
                type_in(b"\\x1a")
                stopped = os.waitpid(pid, os.WUNTRACED)[1]
                print("stopped", os.WIFSTOPPED(stopped), os.WSTOPSIG(stopped) == signal.SIGTSTP, "echo", echo())
                os.kill(pid, signal.SIGCONT)
                wait_for(b"Passphrase: ", 2)
                print("echo", echo())
                type_in(b"again\\n")
                end()
                """)
                == "stopped True True echo True\necho False\nPassphrase: Passphrase: \ngot again\nstatus 0 echo True\n")
    }

    @Test("ended in the background it leaves the terminal as the shell has it")
    func background() {
        #expect(
            session(
                """
                wait_for(b"Passphrase: ")
                type_in(b"\\x1a")
                os.waitpid(pid, os.WUNTRACED)
                os.tcsetpgrp(side, os.getpgrp())
                settings = termios.tcgetattr(side)
                settings[3] &= ~(termios.ICANON | termios.ECHO)
                termios.tcsetattr(side, termios.TCSANOW, settings)
                settings = termios.tcgetattr(side)
                os.kill(pid, signal.SIGTERM)
                os.kill(pid, signal.SIGCONT)
                end()
                print("unchanged", termios.tcgetattr(side) == settings)
                """) == "Passphrase: status 143 echo False\nunchanged True\n")
    }

    @Test("the end of the input is an error, an empty line is not")
    func endOfInput() {
        #expect(
            session("wait_for(b'Passphrase: '); type_in(b'\\x04'); end()")
                == "Passphrase: endOfInput, first byte 0\nstatus 1 echo True\n")
        #expect(
            session("wait_for(b'Passphrase: '); type_in(b'\\n'); end()") == "Passphrase: \ngot \nstatus 0 echo True\n")
    }

    @Test("a line that the terminal would cut is refused and wiped; the longest one is taken")
    func longLines() {
        #expect(
            session("wait_for(b'Passphrase: '); type_in(b'x' * 5000 + b'\\n'); end()")
                == "Passphrase: \ntooLong(limit: 4094), first byte 0\nstatus 1 echo True\n")
        #expect(
            session("wait_for(b'Passphrase: '); type_in(b'x' * 4094 + b'\\n'); end()")
                == "Passphrase: \ngot \(String(repeating: "x", count: 4094))\nstatus 0 echo True\n")
    }

    @Test("without a terminal it is an error at once")
    func noTerminal() {
        let result = ChildProcess.run(["setsid", "-w", Probe.path, "prompt"])
        #expect(result.outputText == "noTerminal, first byte 0\n")
        #expect(result.status == 1)
    }
}
