/// A program on a pseudo-terminal that a Python script holds: it types, sends signals, and looks at the echo.
package enum TerminalSession {
    package static let isThere = ChildProcess.has("python3")

    /// Runs `program` and then the Python `steps`: `wait_for(bytes)`, `type_in(bytes)`, `echo()`, `os.kill(pid, …)`, and at
    /// the end `end()`, which prints what the terminal showed, the exit status, and whether the echo is on.
    package static func run(
        _ program: [String], in folder: String? = nil, environment: [String: String?] = [:], _ steps: String
    ) -> ChildProcess {
        ChildProcess.run(
            ["python3", "-c", driver + steps] + program, in: folder, environment: environment, seconds: 60)
    }

    private static let driver = """
        import fcntl, os, pty, select, signal, sys, termios, time
        # This script is the shell of the terminal, and the program its job in the foreground.
        master, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(side, os.getpgrp())
            for stream in range(3): os.dup2(side, stream)
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            os.execvp(sys.argv[1], sys.argv[1:])
        shown = b""
        def echo():
            return bool(termios.tcgetattr(side)[3] & termios.ECHO)
        def read_some(seconds):
            global shown
            if select.select([master], [], [], seconds)[0]:
                shown += os.read(master, 65536)
        def wait_for(text, times=1):
            limit = time.time() + 20
            while shown.count(text) < times:
                if time.time() > limit: print("never saw", text, shown); sys.exit(1)
                read_some(0.1)
            time.sleep(0.02)
        def type_in(data):
            os.write(master, data)
            time.sleep(0.02)
        def end():
            limit = time.time() + 20
            while True:
                read_some(0.05)
                done, raw = os.waitpid(pid, os.WNOHANG)
                if done: break
                if time.time() > limit: os.kill(pid, signal.SIGKILL); print("hangs"); sys.exit(1)
            read_some(0.05)
            sys.stdout.write(shown.decode().replace("\\r\\n", "\\n"))
            print("status", os.waitstatus_to_exitcode(raw), "echo", echo())

        """
}
