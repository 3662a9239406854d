import CryptoPrimitives
import Glibc
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

@Suite("Changing a store")
struct StoreChangeTests {
    @Test("after a rekey the new key opens every text under the name, and the old key every one in the kept folder")
    func rekey() throws {
        let store = try ChangedStore()
        let (recovered, outcome) = try store.rekey()
        #expect(recovered.isEmpty)
        #expect(try store.opens("phone", with: store.newKey))
        #expect(try store.opens(store.keptName, with: store.oldKey))
        #expect(try ChangedStore.opened(store.folder.file("phone"), store.texts.keys, store.oldKey).isEmpty)
        #expect(store.folder.names == ["phone", store.keptName])
        #expect(outcome.kept == FilePath(store.folder.file(store.keptName)))
        #expect(outcome.resealed.conversations == 3)
        #expect(outcome.resealed.blobs == 1)
        #expect(outcome.resealed.attachments == 3)
        #expect(outcome.read == 7)
        #expect(outcome.isWhole)
        let listing = FolderListing(store.folder.file("phone"))
        #expect(listing.names.count == 9)
        #expect(!listing.names.contains { $0.hasPrefix(".sxkey") })
    }

    @Test("the old folder goes with --no-keep")
    func withoutKeeping() throws {
        let store = try ChangedStore()
        let outcome = try store.rekey(keeps: false).outcome
        #expect(outcome.kept == nil)
        #expect(store.folder.names == ["phone"])
        #expect(try store.opens("phone", with: store.newKey))
    }

    @Test("texts around the size of a piece come out as they were", arguments: [-1, 0, 1, 15, 4096])
    func pieces(_ more: Int) throws {
        let piece = SealedFileWriter.pieceSize
        let store = try ChangedStore(conversations: 1, attachments: [piece + more, 2 * piece + more])
        _ = try store.rekey()
        #expect(try store.opens("phone", with: store.newKey))
    }

    @Test("two rekeys on one day keep two folders, and no nonce comes twice")
    func twice() throws {
        let store = try ChangedStore()
        _ = try store.rekey()
        let plan = try ChangePlan(.rekey, store.unit())
        let change = StoreChange(
            plan, oldKey: store.newKey, newKey: store.oldKey, keeps: true, workers: 1, date: ChangedStore.date)
        _ = try change.run(ChangeTurn(for: store.unit()))
        #expect(store.folder.names == ["phone", store.keptName, store.keptName + "-2"])
        #expect(try store.opens("phone", with: store.oldKey))
        var nonces: Set<[UInt8]> = []
        for root in store.folder.names {
            for name in store.texts.keys {
                let bytes = try #require(fileBytes(store.folder.file(root + "/" + name)))
                #expect(nonces.insert(Array(bytes.prefix(12))).inserted)
            }
        }
    }

    @Test("a key that opens nothing leaves all as it was, and nothing beside it")
    func wrongKey() throws {
        let store = try ChangedStore()
        let before = FolderListing(store.folder.path)
        let plan = try ChangePlan(.rekey, store.unit())
        let change = StoreChange(
            plan, oldKey: store.newKey, newKey: store.oldKey, keeps: true, workers: 1, date: ChangedStore.date)
        #expect(throws: ChangeError.wrongKey) { _ = try change.run(ChangeTurn(for: store.unit())) }
        #expect(FolderListing(store.folder.path) == before)
    }
}
