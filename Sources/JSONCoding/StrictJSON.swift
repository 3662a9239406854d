/// Whether a text is one strict JSON object.
package enum StrictJSON {
    /// Checked by libsimdjson through all levels, for messages that the tolerant scanner gave.
    package static func isObject(_ object: [UInt8]) -> Bool {
        guard let buffer = try? PlaintextBuffer(copying: object),
            let members = try? JSONMembers(strictObject: buffer, 0..<buffer.count)
        else { return false }
        return members.isStrict
    }
}
