import CommandKit
import TestSupport
import Testing

@Suite("Completions")
struct CompletionsTests {
    private let folder = TemporaryFolder()

    init() {
        _ = folder.makeFolder("dir one")
        folder.write([1], to: "file two")
    }

    private func script(_ shell: Shell) -> String {
        folder.write(shell.completions(of: Samples.program), to: shell.fileName(of: Samples.program))
    }

    @Test("each shell reads its script without complaint", arguments: Shell.allCases)
    func syntax(shell: Shell) {
        guard ChildProcess.has(shell.rawValue) else { return }
        let result = ChildProcess.run([shell.rawValue, "-n", script(shell)])
        #expect(result.errorText + result.outputText == "")
        #expect(result.status == 0)
    }

    /// What is offered for the last word of the line.
    static let offers: [(line: [String], offered: Set<String>)] = [
        (["b"], ["box"]),
        ([""], ["box", "completions", "count", "help"]),
        (["box", ""], ["show", "info", "lid"]),
        (["box", "lid", ""], ["add", "remove"]),
        (["box", "lid", "r"], ["remove"]),
        (["box", "lid", "remove", "--col"], ["--color"]),
        (["--json", "box", "s"], ["show"]),
        (["--color", "always", "box", "i"], ["info"]),
        (["help", "box", "s"], ["show"]),
        (["completions", "z"], ["zsh"]),
        (["box", "show", "--form"], ["--format"]),
        (["box", "show", "--format", ""], ["json", "text"]),
        (["box", "show", "-f", "j"], ["json"]),
        (["box", "show", "--color", "n"], ["never"]),
    ]

    @Test("bash offers what fits", .enabled(if: ChildProcess.has("bash"), "needs bash"), arguments: offers.indices)
    func bash(index: Int) {
        #expect(bashOffers(Self.offers[index].line) == Self.offers[index].offered)
    }

    @Test("bash offers files and folders where they belong", .enabled(if: ChildProcess.has("bash"), "needs bash"))
    func bashFiles() {
        #expect(bashOffers(["box", "info", "fi"]) == ["file two"])
        #expect(bashOffers(["box", "show", "d"]) == ["dir one"])
        #expect(bashOffers(["box", "lid", "add", "d"]) == ["dir one"])
        #expect(bashOffers(["box", "show", "f"]) == [])
        #expect(bashOffers(["box", "show", "--key-file", "f"]) == ["file two"])
        #expect(bashOffers(["box", "show", "--format", "=", "t"]) == ["text"])
        #expect(bashOffers(["box", "show", "--format", "="]) == ["json", "text"])
        #expect(bashOffers(["box", "show", "--format", "=", "text", "d"]) == ["dir one"])
    }

    private func bashOffers(_ line: [String]) -> Set<String> {
        let code = """
            cd "$1"; source "$2"; shift 2; COMP_WORDS=(box "$@"); COMP_CWORD=$#
            _box 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = ChildProcess.run(["bash", "-c", code, "bash", folder.path, script(.bash)] + line)
        return Set(result.outputText.split(separator: "\n").map(String.init))
    }

    @Test("fish offers what fits", .enabled(if: ChildProcess.has("fish"), "needs fish"), arguments: offers.indices)
    func fish(index: Int) {
        let line = (["box"] + Self.offers[index].line).joined(separator: " ")
        let code = "cd $argv[1]; source $argv[2]; complete -C $argv[3]"
        let result = ChildProcess.run(
            ["fish", "--no-config", "-c", code, folder.path, script(.fish), line], environment: ["HOME": folder.path])
        #expect(result.errorText == "")
        let offered = result.outputText.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(
            Set(offered.filter { $0 != "file two" && $0 != "dir one/" && !$0.hasPrefix("_") })
                == Self.offers[index].offered)
    }

    @Test(
        "zsh offers what fits",
        .enabled(if: ChildProcess.has("zsh") && ChildProcess.has("python3"), "needs zsh, python3"))
    func zsh() {
        // A real zsh on a pseudo-terminal: each line is typed with a tab, and what the line has become is looked at.
        let code = """
            import os, pty, re, select, sys, time
            pid, master = pty.fork()
            if pid == 0:
                os.environ.update(PS1="READY ", TERM="dumb", HOME=sys.argv[1], ZDOTDIR=sys.argv[1])
                os.chdir(sys.argv[1])
                os.execvp("zsh", ["zsh", "-f", "-i"])
            text = ""
            def until(pattern, times=1):
                global text
                limit = time.time() + 30
                while len(re.findall(pattern, text)) < times:
                    if time.time() > limit: print("never saw", pattern, repr(text)); sys.exit(1)
                    if select.select([master], [], [], 0.1)[0]: text += os.read(master, 65536).decode(errors="replace")
            def send(line): os.write(master, line.encode())
            until("READY ")
            send("unsetopt zle_bracketed_paste; fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u; echo set''up\\n")
            until("setup")
            # Instead of running, a line shows itself.
            send("accept() { print; print -r -- \\"<$BUFFER>\\"; BUFFER=; zle .accept-line }; zle -N accept-line accept; echo bound''\\n")
            until("bound")
            for number, line in enumerate(sys.argv[2:], 1):
                send(line + "\\t")
                time.sleep(0.3)
                send("\\n")
                until("<box[^>]*>", number)
            print("\\n".join(found.strip("<> ") for found in re.findall("<box[^>]*>", text)))
            """
        _ = script(.zsh)
        let lines = [
            "box b", "box box s", "box completions z", "box box show --form", "box box show --format j",
            "box box show -f t",
            "box --color always box i", "box box info fi", "box box show --key-f", "box help b", "box count --js",
        ]
        let result = ChildProcess.run(["python3", "-c", code, folder.path] + lines)
        #expect(result.errorText == "")
        #expect(
            result.outputText.split(separator: "\n").map(String.init) == [
                "box box", "box box show", "box completions zsh", "box box show --format=",
                "box box show --format json",
                "box box show -f text", "box --color always box info", "box box info file\\ two",
                "box box show --key-file=",
                "box help box", "box count --json",
            ])
    }
}
