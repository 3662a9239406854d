/// What was found while a bundle was read.
struct BundleFindings {
    var list = FindingList()
    /// Something outside of the messages makes the apps' decoder refuse the whole file.
    private(set) var isRefusedByApps = false

    /// Takes over what was found in one object.
    mutating func take(_ object: borrowing BundleObject) {
        list.add(contentsOf: object.findings)
        if object.isRefusedByApps { isRefusedByApps = true }
    }
}
