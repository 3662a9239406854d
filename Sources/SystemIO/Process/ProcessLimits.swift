import CLinux
import Glibc

/// What a process may use at most, for one that works on input from strangers.
package struct ProcessLimits: Sendable {
    /// Bytes of address space, with the program and its libraries.
    package let memory: Int
    /// Seconds of processor time; SIGXCPU ends the process after them.
    package let processorSeconds: Int

    package init(memory: Int, processorSeconds: Int) {
        self.memory = memory
        self.processorSeconds = processorSeconds
    }

    /// Sets the limits for good, forbids core files, new descriptors and new privileges, and closes every descriptor but
    /// the standard streams. False when the kernel refuses one of them.
    package func confine() -> Bool {
        guard
            Self.limit(__rlimit_resource_t(RLIMIT_AS.rawValue), memory),
            Self.limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), processorSeconds),
            Self.limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0),
            // Descriptors below this number stay usable, and there are no others to be had.
            Self.limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), 3)
        else { return false }
        closefrom(3)
        return sx_set_no_new_privileges() == 0
    }

    private static func limit(_ resource: __rlimit_resource_t, _ value: Int) -> Bool {
        guard let ceiling = rlim_t(exactly: value) else { return false }
        var current = rlimit()
        guard unsafe getrlimit(resource, &current) == 0 else { return false }
        // A lower limit of the parent stays.
        let lower = min(ceiling, current.rlim_max)
        var limits = rlimit(rlim_cur: lower, rlim_max: lower)
        return unsafe setrlimit(resource, &limits) == 0
    }
}
