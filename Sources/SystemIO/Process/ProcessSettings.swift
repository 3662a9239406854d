import CLinux
import Glibc

/// Settings of the whole process.
package enum ProcessSettings {
    /// No core file, no debugger of the same user, and new files for the owner only.
    package static func protectSecrets() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = sx_set_not_dumpable()
        umask(0o077)
    }

    /// What the program was started with after its own name, as bytes: `CommandLine.arguments` repairs bytes that are not
    /// UTF-8 and then names another file.
    package static func arguments() -> [[UInt8]] {
        var arguments: [[UInt8]] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
            arguments.append(unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start))))
        }
        return arguments
    }

    /// A variable of the environment as bytes, nil when it is not set.
    package static func environment(_ name: String) -> [UInt8]? {
        guard let start = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }

    /// The file of the running program, as the kernel knows it; nil when /proc is not there.
    package static func executable() -> FilePath? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return FilePath(bytes: buffer[..<count].map { UInt8(bitPattern: $0) })
    }

    /// Ends the process now with `status`, 0…255.
    package static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
