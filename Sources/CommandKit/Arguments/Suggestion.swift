/// The word that was probably meant.
enum Suggestion {
    /// The candidate with the fewest typing errors from `typed`, nil when none is near. Of equally near ones the first.
    static func nearest(to typed: [UInt8], among candidates: [String]) -> String? {
        // Nothing that is worth a guess is longer, and the work grows with the square.
        guard typed.count <= longestWord else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.utf8)
            let distance = distance(typed, letters)
            let isNear = distance <= max(1, min(typed.count, letters.count) / 3)
            let isBeginning = typed.count >= 2 && letters.starts(with: typed)
            guard isNear || isBeginning, distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.word
    }

    private static let longestWord = 64

    /// Letters to insert, remove, replace, or swap with their neighbour (optimal string alignment).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var least = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
                row.append(least)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
