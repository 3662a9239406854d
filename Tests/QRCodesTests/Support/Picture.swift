import TestSupport

/// A grey picture that `zbarimg` of zbar-tools reads: a reader that knows nothing of our code.
struct Picture {
    /// Row by row, true is black.
    let rows: [[Bool]]

    static let canBeRead = ChildProcess.has("zbarimg")

    /// The bytes of the one QR code in it; nil when none is found.
    func read() -> [UInt8]? {
        let scale = 4
        let width = (rows.first?.count ?? 0) * scale
        var file = Array("P5\n\(width) \(rows.count * scale)\n255\n".utf8)
        for row in rows {
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
            for _ in 0..<scale { file += line }
        }
        let folder = TemporaryFolder()
        let path = folder.write(file, to: "code.pgm")
        let run = ChildProcess.run([
            "zbarimg", "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary", path,
        ])
        return run.status == 0 ? run.output : nil
    }
}
