import Glibc
import Synchronization

/// What happens on SIGINT, SIGTERM and their like: temporary files go, the terminal echoes again, the process exits with
/// 128 + the signal's number.
///
/// Signals belong to the process, so this is process-wide state. `begin` blocks them in every thread and gives them to one
/// thread that waits for them (sigwait(3)): what it does may then take locks, which a signal handler may not.
package enum Interrupts {
    /// Names one announced file.
    struct Ticket: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        let folder: Int32
        let name: FilePath
        let isFolder: Bool
    }

    private struct State {
        var files: [Ticket: Entry] = [:]
        var next: UInt64 = 0
        /// The prompt that waits for an answer.
        var prompt: HiddenEcho?
        /// Whether its terminal shows nothing now; while the process is stopped it does.
        var isEchoHidden = false
        var message: [UInt8] = []
        var hasBegun = false
        /// How often `beginOrderlyWork` is open.
        var orderly = 0
    }

    /// The signal that asked work under way to end itself, 0 when there was none.
    private static let asked = Atomic<Int32>(0)

    private static let newline = UInt8(ascii: "\n")

    private static let state = Mutex(State())

    /// Ends the process when one of these arrives; SIGTSTP only stops it for a while.
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU]

    /// Starts the waiting thread and ignores SIGPIPE and SIGXFSZ (a closed pipe and a limit for the size of files are then
    /// the errors EPIPE and EFBIG of a write). Called once, before any other thread exists. Signals that the parent process had ignored (nohup(1)) stay ignored.
    package static func begin() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        var set = awaited()
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        var thread = pthread_t()
        let failed = unsafe pthread_create(&thread, nil, { _ in Interrupts.waitForever() }, nil)
        if failed == 0 {
            pthread_detach(thread)
        } else {
            // Without the thread the signals act as they do in any program.
            unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
    }

    /// Text for the standard error on an interrupt, for example "sxkey: interrupted; nothing was changed". It must not
    /// hold foreign text. Empty: nothing is said.
    package static func setMessage(_ text: String) {
        state.withLock { $0.message = Array(text.utf8) }
    }

    /// Work begins that ends itself when a signal asks for it: it looks at `requested` and cleans up on its own. The first
    /// signal then only asks; a second one ends the process at once. `endOrderlyWork` must follow.
    package static func beginOrderlyWork() {
        state.withLock { $0.orderly += 1 }
    }

    package static func endOrderlyWork() {
        state.withLock { $0.orderly -= 1 }
    }

    /// The number of the signal that came during orderly work; nil when there was none.
    package static var requested: Int32? {
        let number = asked.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Runs `create` while no interrupt can act, and remembers the file, or the folder, when it says that it is there.
    static func announcing(folder: Int32, name: FilePath, isFolder: Bool = false, _ create: () -> Bool) -> Ticket? {
        state.withLock { state in
            guard create() else { return nil }
            let ticket = Ticket(number: state.next)
            state.next += 1
            state.files[ticket] = Entry(folder: folder, name: name, isFolder: isFolder)
            return ticket
        }
    }

    /// Runs `rename` while no interrupt can act, and forgets all these files when it says that they are where they stay.
    static func forgetting(_ tickets: [Ticket], _ rename: () -> Bool) -> Bool {
        state.withLock { state in
            guard rename() else { return false }
            for ticket in tickets { state.files.removeValue(forKey: ticket) }
            return true
        }
    }

    static func forget(_ ticket: Ticket) {
        state.withLock { _ = $0.files.removeValue(forKey: ticket) }
    }

    /// Turns the echo off through `change` and remembers how to turn it on again.
    static func hidingEcho(_ echo: HiddenEcho) -> Int32 {
        state.withLock { state in
            let code = echo.hide()
            if code == 0 {
                state.prompt = echo
                state.isEchoHidden = true
            }
            return code
        }
    }

    static func showingEcho() {
        state.withLock { state in
            showEcho(&state)
            state.prompt = nil
        }
    }

    private static func showEcho(_ state: inout State) {
        if state.isEchoHidden { state.prompt?.restore() }
        state.isEchoHidden = false
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// An ignored signal stays out: sigwait(3) would take it all the same.
    private static func awaited() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in ending + [SIGTSTP, SIGCONT] where !isIgnored(number) { unsafe sigaddset(&set, number) }
        return set
    }

    private static func waitForever() -> Never {
        var set = awaited()
        // Else giving the echo back from the background would stop the process (tcsetattr(3)).
        setBlocked(true, SIGTTOU)
        while true {
            var number: Int32 = 0
            guard unsafe sigwait(&set, &number) == 0 else { continue }
            switch number {
            case SIGTSTP: stopForAWhile()
            case SIGCONT: goOn()
            default:
                let isFirst = state.withLock { state in
                    guard state.orderly > 0, asked.load(ordering: .relaxed) == 0 else { return false }
                    asked.store(number, ordering: .relaxed)
                    return true
                }
                if !isFirst { end(number) }
            }
        }
    }

    private static func end(_ number: Int32) -> Never {
        // The lock is kept to the end: no file can be announced any more.
        state.withLock { state in
            // What was made last goes first, so that a folder is empty when its turn comes.
            for (_, entry) in state.files.sorted(by: { $0.key.number > $1.key.number }) {
                let flags = entry.isFolder ? AT_REMOVEDIR : 0
                _ = unsafe entry.name.withCString { unsafe unlinkat(entry.folder, $0, flags) }
            }
            if state.prompt?.isInForeground == true { showEcho(&state) }
            if !state.message.isEmpty {
                // On a terminal "^C" or a progress meter may stand in the line.
                let line = (isatty(2) == 1 ? [newline] : []) + state.message + [newline]
                _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
            }
            _exit(128 + number)
        }
    }

    /// Ctrl-Z: the shell gets its terminal back with echo.
    private static func stopForAWhile() {
        state.withLock { showEcho(&$0) }
        raise(SIGTSTP)
        setBlocked(false, SIGTSTP)
        setBlocked(true, SIGTSTP)
    }

    /// The shell lets the process go on. In the foreground a prompt hides the echo again; in the background the terminal
    /// belongs to somebody else.
    private static func goOn() {
        state.withLock { state in
            guard let echo = state.prompt, echo.isInForeground, echo.hide() == 0 else { return }
            state.isEchoHidden = true
            echo.showPromptAgain()
        }
    }

    static func setBlocked(_ isBlocked: Bool, _ number: Int32) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &set, nil)
    }
}
