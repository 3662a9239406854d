import SystemIO

// Pictures are read and written here, away from every key: one request on the standard input, one answer of text on the
// standard output (Protocol.swift). The input is opened and the limits stand before its first byte is read.
guard var input = try? InputFile(standardInput: "standard input"), Sandbox.enter() else {
    Answer.refused(.noSandbox).send()
    ProcessSettings.exit(0)
}
answer(reading: &input).send()
ProcessSettings.exit(0)

private func answer(reading input: inout InputFile) -> Answer {
    do throws(PictureProblem) {
        let request = try Request(reading: &input)
        switch request.action {
        case .scan: return .codes(try CodeScanner.scan(Picture(request.bytes)))
        case .png: return .png(try CodePainter.png(ofMatrix: request.bytes))
        }
    } catch {
        return .refused(error)
    }
}
