import Glibc
import TestSupport

/// Says a figure of a long campaign: `make check-long` shows it.
func report(_ text: String) {
    guard LongTests.areWanted else { return }
    let line = Array("figure: \(text)\n".utf8)
    _ = write(2, line, line.count)
}
