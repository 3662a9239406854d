import SystemIO

/// Names of files that an app, or sxkey, makes for a moment and that a crash leaves behind.
package enum LeftoverName {
    /// Foundation's atomic writes (`.dat.nosync…`, `….sb-…`), the Android app's `<id>.tmp` (formats section 6.5), sxkey's own.
    package static func matches(_ name: FilePath) -> Bool {
        let text = name.text
        return text.hasPrefix(".dat.nosync") || text.contains(".sb-") || text.hasSuffix(".tmp")
            || text.hasPrefix(".sxkey-")
    }
}
