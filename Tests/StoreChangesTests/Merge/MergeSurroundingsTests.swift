import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

/// What may be in the way of a merge.
@Suite("a merge and what is around it")
struct MergeSurroundingsTests {
    private let store: ChangedStore
    private let merge: StoreMerge

    init() throws {
        store = try ChangedStore()
        let input = MergeInput(try StoreFolder(at: store.path), key: store.oldKey)
        merge = StoreMerge(input, input, workers: 1)
    }

    private func run(_ plan: StoreMerge.Plan) throws {
        let place = try ChangePlace(new: FilePath(store.folder.file("new")))
        _ = try merge.run(plan, at: place, newKey: store.oldKey, date: ChangedStore.date, ChangeTurn(for: place))
    }

    @Test("an app that writes into one of the stores meanwhile: it says so, and makes nothing")
    func changing() throws {
        let plan = try merge.plan()
        store.folder.write("late", to: "phone/sophax_messages/late.tmp")
        #expect {
            try run(plan)
        } throws: { error in
            if case ChangeError.changing(let path) = error { path.lastComponent == "late.tmp" } else { false }
        }
        #expect(store.folder.names == ["phone"])
        // A file that came between the first look and the plan comes along.
        store.folder.write(try ChangedStore.seal([1, 2, 3]), to: "phone/sophax_attachments/AB")
        try run(try merge.plan())
        #expect(fileBytes(store.folder.file("new/sophax_attachments/AB")) != nil)
        #expect(store.folder.names == ["new", "phone"])
    }

    @Test("a disk without room for the new store: it says how much is needed before anything is written")
    func space() throws {
        let place = try ChangePlace(new: FilePath(store.folder.file("new")))
        var new = try NewStore(
            .merge, at: place, [], oldKey: store.oldKey, newKey: store.oldKey, workers: 1, date: ChangedStore.date)
        new.expectedSizes = try merge.plan().sizes
        new.freeSpace = { _ in FreeSpace(bytes: (1 << 20) + 4096, blockSize: 4096, files: nil) }
        #expect {
            _ = try new.run(ChangeTurn(for: place))
        } throws: { error in
            if case ChangeError.tooLittleSpace(_, let needed, _) = error { needed > 1 << 20 } else { false }
        }
        #expect(store.folder.names == ["phone"])
    }
}
