import TestSupport
import Testing

@testable import SystemIO

@Suite("Where something is mounted")
struct MountPointsTests {
    /// The example of proc_pid_mountinfo(5), and the escapes that it names.
    @Test("the fifth field of each line, with its escapes undone")
    func parsing() {
        let text = #"""
            36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
            37 35 98:0 / /with\040space\011tab\012line\134back rw - ext3 /dev/root rw
            short line
            38 35 98:0 / /odd\9 rw - ext3 /dev/root rw

            """#
        #expect(
            MountPoints.parse(Array(text.utf8))
                == ["/mnt2", FilePath(bytes: Array("/with space\ttab\nline\\back".utf8)), #"/odd\9"#])
    }

    @Test("where they are read from is one of them")
    func all() {
        #expect(MountPoints.all().contains("/proc"))
    }
}
