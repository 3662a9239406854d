import SophaxFiles

extension HistoryPart {
    /// Of the further sources those with another body than the one that is shown, by the time of their edit.
    package func earlierBodies() -> [Int: [StoredMessage]] {
        var earlier: [Int: [StoredMessage]] = [:]
        for (place, sources) in others {
            var seen: Set<[UInt8]?> = [messages[place].body?.bytes]
            let different = sources.filter { seen.insert($0.body?.bytes).inserted }
            guard !different.isEmpty else { continue }
            func edited(_ message: StoredMessage) -> Double {
                message.time(.editedAt)?.unixSeconds ?? (message.isEdited ? 0 : -.infinity)
            }
            earlier[place] = different.enumerated().sorted { left, right in
                let times = (edited(left.element), edited(right.element))
                return times.0 == times.1 ? left.offset < right.offset : times.0 < times.1
            }.map(\.element)
        }
        return earlier
    }
}
