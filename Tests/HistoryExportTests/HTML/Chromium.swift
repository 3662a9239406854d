import TestSupport

/// Headless Chromium, as Debian has it.
enum Chromium {
    static let isThere = ChildProcess.has("chromium")

    /// The document as it is after its scripts ran.
    ///
    /// - Parameters:
    ///   - page: a file, with a fragment perhaps.
    ///   - netLog: gets what the network was asked for.
    static func document(_ page: String, netLog: String? = nil) -> String {
        run(["--dump-dom", "file://\(page)"], netLog: netLog).outputText
    }

    /// A picture of the page, `width` × `height` pixels.
    static func picture(_ page: String, to file: String, width: Int, height: Int, options: [String] = [])
        -> ChildProcess
    {
        run(
            ["--screenshot=\(file)", "--window-size=\(width),\(height)", "--hide-scrollbars"] + options + [
                "file://\(page)"
            ], netLog: nil)
    }

    private static func run(_ arguments: [String], netLog: String?) -> ChildProcess {
        let profile = TemporaryFolder()
        var command = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
            "--virtual-time-budget=20000", "--user-data-dir=\(profile.path)",
        ]
        if let netLog { command += ["--log-net-log=\(netLog)", "--net-log-capture-mode=Everything"] }
        return ChildProcess.run(command + arguments, seconds: 90)
    }
}
