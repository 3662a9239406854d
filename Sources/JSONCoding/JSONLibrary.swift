import CSimdJSON

/// The JSON library in use, for `sxkey version`.
package enum JSONLibrary {
    /// Such as `3.0.1`: the version that sxkey was compiled against.
    package static var version: String { unsafe String(cString: sxj_library_version()) }
    /// The code path that was chosen for this processor, such as `haswell`.
    package static var implementation: String { unsafe String(cString: sxj_implementation_name()) }
}
