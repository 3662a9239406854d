import Foundation
import SampleData
import TestSupport
import Testing

/// Secrets show up nowhere: not in outputs or errors, not in the list of processes, not in a core file.
@Suite("secrets")
struct SecretTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
    }

    /// The sample's private keys, its store key and its passphrase, in every form that could be printed.
    private func secrets() throws -> [String] {
        let opened = try SampleSecrets.keys(of: phone)
        return [Sample.passphrase]
            + opened.flatMap { key in
                let data = Data(key)
                let base64 = data.base64EncodedString()
                let hex = key.map { String(format: "%02x", $0) }.joined()
                return [
                    base64, base64.replacingOccurrences(of: "/", with: "\\/"), hex, hex.uppercased(),
                    String(hex.prefix(24)),
                ]
            }
    }

    @Test("no output and no error has a private key or a passphrase in it")
    func outputs() throws {
        let secrets = try secrets()
        #expect(secrets.count == 16)
        try phone.write("correct horse battery stapl", to: "wrong.txt")
        for line in [
            "bundle info sample.sxfe", "bundle verify sample.sxfe -p passphrase.txt",
            "bundle show sample.sxfe -p passphrase.txt",
            "bundle export sample.sxfe -p passphrase.txt -o -",
            "bundle export sample.sxfe -p passphrase.txt -o - --format json",
            "bundle export sample.sxfe -p passphrase.txt -o - --format text", "bundle verify sample.sxfe -p wrong.txt",
            "bundle show sample.sxfe nobody -p passphrase.txt", "bundle verify passphrase.txt -p passphrase.txt",
            "bundle verify storage.key", "store info phone -k storage.key", "store verify phone -k storage.key",
            "store show phone -k storage.key", "store export phone -k storage.key -o -",
            "store show phone -k passphrase.txt",
            "store info passphrase.txt", "store show phone nobody -k storage.key",
            "store info storage.key -k storage.key",
        ] {
            for form in ["", " --json"] {
                let run = phone.shell("sxkey \(line)\(form)")
                let all = run.outputText + run.errorText
                #expect(!all.isEmpty)
                for secret in secrets { #expect(!all.contains(secret), "\(line)\(form)") }
            }
        }
    }

    @Test("a passphrase typed as an option that does not exist is not repeated", arguments: ["=", " "])
    func wrongOptions(separator: String) {
        for form in ["", " --json"] {
            let run = phone.shell("sxkey bundle verify sample.sxfe --passphrase\(separator)hunter2\(form)")
            #expect(run.status == 2)
            #expect(run.errorText.contains("unknown option") && !run.errorText.contains("hunter2"), "\(run.errorText)")
        }
    }

    @Test(
        "a file with a secret that others have access to is named in a warning, also as a descriptor, but not a pipe",
        arguments: [
            ("sxkey bundle verify sample.sxfe -p passphrase.txt", "passphrase.txt"),
            ("sxkey bundle verify sample.sxfe --passphrase-fd 3 3<passphrase.txt", "descriptor 3"),
            ("sxkey store info phone -k storage.key", "storage.key"),
            ("sxkey identity list --keyring \(SampleKeyring.fileName) --keyring-key-file open.key", "open.key"),
        ])
    func exposedFiles(line: String, name: String) throws {
        try phone.addKeyring()
        try phone.write(SampleKeyring.key, to: "open.key")
        let warning = "sxkey: warning: \"\(name)\" is open to others: mode 0644, should be 0600\n"
        let files = "passphrase.txt storage.key open.key"
        let wide = phone.shell("chmod 644 \(files) && \(line)")
        #expect(wide.errorText == warning, "\(wide.status) \(wide.errorText)")
        let narrow = phone.shell("chmod 600 \(files) && \(line)")
        #expect(narrow.status == wide.status && narrow.errorText == "", "\(narrow.errorText)")
        let pipe = phone.shell(
            """
            chmod 644 \(files)
            sxkey store info phone -k <(cat storage.key) && sxkey store info phone -k - <storage.key
            """)
        #expect(pipe.status == 0)
        #expect(pipe.errorText == "sxkey: warning: \"-\" is open to others: mode 0644, should be 0600\n")
    }

    @Test("JSON that is no keychain dump is no identity, and neither a wrong key")
    func noKeychain() throws {
        try phone.addKeyring()
        let keyring = "--keyring \(SampleKeyring.fileName) --keyring-key-file \(SampleKeyring.keyFileName)"
        for text in ["{\"timestamp\":1}", "{\"timestamp\":"] {
            try phone.write(text, to: "other.json")
            let run = phone.shell("sxkey identity import other.json \(keyring)")
            #expect(run.status == 4, "\(run.errorText)")
            #expect(run.errorText.contains("error: cannot take an identity from \"other.json\": "), "\(run.errorText)")
            #expect(run.errorText.contains("hint: keychain items are a JSON object"), "\(run.errorText)")
        }
        // The keyring's key is no keychain item, so that is not offered.
        let short = phone.shell("sxkey identity list --keyring \(SampleKeyring.fileName) --keyring-key-file letter.txt")
        #expect(short.status == 5)
        #expect(short.errorText.hasSuffix("64 hex digits, or 44 characters of base64\n"), "\(short.errorText)")
    }

    @Test("a running command leaves no core file, and other processes of the user cannot look into it")
    func processSettings() throws {
        // Root may look into everything, so the command runs as nobody there.
        let isRoot = geteuid() == 0
        if isRoot {
            try #require(phone.shell("cp $(command -v sxkey) sxkey && chmod -R a+rX . && chmod a+rx ..").status == 0)
        }
        let program = isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups ./sxkey" : "sxkey"
        let run = phone.shell(
            """
            ulimit -c unlimited 2>/dev/null; mkfifo -m 666 slow; exec 8<>slow
            \(program) bundle verify slow -p passphrase.txt 8<&- & child=$!
            until [ "$(cat /proc/$child/comm)" = sxkey ] && [ "$(cat /proc/$child/task/$child/wchan)" != 0 ]; do sleep 0.01; done
            sleep 0.3
            grep 'Max core file size' /proc/$child/limits; stat -c 'owner %u' /proc/$child/environ
            tr '\\0' ' ' </proc/$child/cmdline; echo; grep -c . /proc/$child/cmdline >/dev/null
            kill $child; wait $child
            """)
        let lines = run.outputText.split(separator: "\n").map(String.init)
        // The folder of the tests may be closed to others; then there is nothing to look at.
        guard lines.count == 3, run.status == 143 else {
            Issue.record("\(run.status) \(run.outputText) \(run.errorText)")
            return
        }
        #expect(lines[0].split(separator: " ").suffix(3).prefix(2) == ["0", "0"], "\(lines[0])")
        // The kernel gives the files of a process that must not be dumped to root.
        #expect(lines[1] == "owner 0")
        #expect(lines[2].hasSuffix("bundle verify slow -p passphrase.txt "))
    }
}
