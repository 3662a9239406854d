import SystemIO

/// Whether a folder is still as it was.
enum TreeDifference {
    /// The first path that differs; nil when all is the same. Times of folders are left aside where nothing came or went:
    /// the root's own change time moves when it is renamed.
    static func first(_ before: [TreeEntry], _ now: [TreeEntry]) -> FilePath? {
        for (old, new) in zip(before, now) {
            if old.path != new.path {
                return old.path.bytes.lexicographicallyPrecedes(new.path.bytes) ? old.path : new.path
            }
            if old.kind != new.kind || old.identity != new.identity || old.size != new.size { return old.path }
            if old.kind == .folder {
                if old.permissions != new.permissions || old.owner != new.owner || old.group != new.group {
                    return old.path
                }
            } else if old != new {
                return old.path
            }
        }
        if before.count == now.count { return nil }
        return before.count < now.count ? now[before.count].path : before[now.count].path
    }
}
