import CSeccomp
import Glibc
import SystemIO

/// The walls round the decoders: what a flaw in one of them could do is to give a wrong answer, or to die.
enum Sandbox {
    /// Limits, no new privileges, and then a filter that allows little more than reading the standard input, writing the
    /// answer and taking memory. False when one of them cannot be had.
    static func enter() -> Bool {
        let limits = ProcessLimits(
            memory: PictureLimits.memory, processorSeconds: PictureLimits.processorSeconds)
        return limits.confine() && filter()
    }

    /// Opening files is answered with an error, because libraries try it (iconv in libzbar) and go on without. Every other
    /// call that is not named here ends the process.
    private static func filter() -> Bool {
        guard let context = unsafe seccomp_init(killProcess) else { return false }
        defer { unsafe seccomp_release(context) }
        var isComplete = true
        func add(_ action: UInt32, _ name: String, _ conditions: [scmp_arg_cmp] = []) {
            let number = unsafe seccomp_syscall_resolve_name(name)
            // A call that this machine does not have (-1) needs no rule.
            guard number != unknownCall else { return }
            let code = unsafe seccomp_rule_add_array(context, action, number, UInt32(conditions.count), conditions)
            if code != 0 { isComplete = false }
        }
        add(allow, "read", [equal(0, 0)])
        add(allow, "write", [equal(0, 1)])
        add(allow, "write", [equal(0, 2)])
        // No memory becomes code.
        for name in ["mmap", "mmap2", "mprotect"] {
            let withoutExecution = scmp_arg_cmp(
                arg: 2, op: SCMP_CMP_MASKED_EQ, datum_a: scmp_datum_t(PROT_EXEC), datum_b: 0)
            add(allow, name, [withoutExecution])
        }
        // qsort(3) of libc asks how much memory there is (sysinfo).
        for name in ["munmap", "mremap", "brk", "madvise", "sysinfo"] { add(allow, name) }
        for name in ["futex", "getrandom", "clock_gettime", "gettimeofday"] { add(allow, name) }
        for name in ["rt_sigreturn", "sigreturn", "exit", "exit_group"] { add(allow, name) }
        for name in ["open", "openat", "access", "faccessat", "readlink", "readlinkat", "stat", "lstat", "statx"] {
            add(refuse, name)
        }
        for name in ["fstat", "newfstatat", "fstatat64", "lseek", "ioctl", "fcntl", "close"] { add(refuse, name) }
        return unsafe isComplete && seccomp_load(context) == 0
    }

    private static func equal(_ argument: UInt32, _ value: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
    }

    // Macros of seccomp.h with casts in them.
    private static let killProcess: UInt32 = 0x8000_0000
    private static let allow: UInt32 = 0x7fff_0000
    private static let refuse: UInt32 = 0x0005_0000 | UInt32(EACCES)
    private static let unknownCall: Int32 = -1
}
