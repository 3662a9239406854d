import SystemIO
import TestSupport
import Testing

/// The power goes while `store rekey` runs.
@Suite("a rekey that loses its power")
struct PowerCutTests {
    /// ext4, where the whole file system is synced at once, and one that is not known, where each file is.
    private static let fileSystems = [0xEF53, 0x7777]

    private func campaign(
        _ scene: RekeyScene, fileSystem: Int = 0xEF53, ignoring: Set<TreeLog.Kind> = [], seed: UInt64
    ) -> CutCampaign {
        var campaign = CutCampaign(scene, seed: seed)
        campaign.fileSystem = fileSystem
        campaign.ignoring = ignoring
        campaign.disturbing = scene.late
        return campaign
    }

    @Test(
        "a key at hand opens everything under the name, and a second run completes",
        arguments: RekeyScene.KeyPlace.allCases, [true, false])
    func cuts(place: RekeyScene.KeyPlace, keeps: Bool) throws {
        for fileSystem in Self.fileSystems {
            var campaign = campaign(
                try RekeyScene(place, keeps: keeps), fileSystem: fileSystem, seed: UInt64(fileSystem))
            try campaign.cutOnce(LongTests.areWanted ? 300 : 4)
            #expect(campaign.failures == [])
            #expect(campaign.atRisk > 0)
            report(
                "power cuts of rekey (\(place), \(keeps ? "keeping" : "not keeping"), "
                    + "\(fileSystem == 0xEF53 ? "one sync" : "each file")): \(campaign.cuts), \(campaign.atRisk) with something to lose"
            )
        }
    }

    @Test("also at each operation around the exchange and behind it, in every manner", arguments: [true, false])
    func end(keeps: Bool) throws {
        for place in LongTests.areWanted ? RekeyScene.KeyPlace.allCases : [.given] {
            var campaign = campaign(try RekeyScene(place, keeps: keeps), seed: keeps ? 21 : 22)
            try campaign.cutEnd()
            #expect(campaign.failures == [])
            #expect(campaign.atRisk > 10)
            report("power cuts of the end of rekey (\(place)): \(campaign.cuts), \(campaign.atRisk) at risk")
        }
    }

    @Test(
        "also while an exchange is taken back, because an app wrote into the store at the last moment",
        arguments: [true, false])
    func takenBack(keeps: Bool) throws {
        for fileSystem in Self.fileSystems {
            let scene = try RekeyScene(.given, keeps: keeps, isDisturbed: true)
            var campaign = campaign(scene, fileSystem: fileSystem, seed: keeps ? 11 : 12)
            try campaign.cutOnce(LongTests.areWanted ? 300 : 20, onlyEnd: true)
            #expect(campaign.failures == [])
            #expect(campaign.atRisk > 0)
        }
    }

    @Test(
        "in a run, and in the next one that tidies up behind it: the third one completes",
        arguments: RekeyScene.KeyPlace.allCases, [true, false])
    func twice(place: RekeyScene.KeyPlace, keeps: Bool) throws {
        let number = RekeyScene.KeyPlace.allCases.firstIndex(of: place) ?? 0
        for (offset, fileSystem) in Self.fileSystems.enumerated() where LongTests.areWanted || offset == number % 2 {
            var campaign = campaign(
                try RekeyScene(place, keeps: keeps), fileSystem: fileSystem, seed: UInt64(30 + 2 * number + offset))
            try campaign.cutTwice(.powerCut, rounds: LongTests.areWanted ? 40 : 1, each: LongTests.areWanted ? 8 : 3)
            #expect(campaign.failures == [])
            report("power cuts of rekey and of the next run (\(place), keeps \(keeps)): \(campaign.cuts)")
        }
    }

    @Test(
        "in the run that tidies up behind a killed one, of which not all was synced: the third one completes",
        arguments: RekeyScene.KeyPlace.allCases, [true, false])
    func afterKill(place: RekeyScene.KeyPlace, keeps: Bool) throws {
        let number = RekeyScene.KeyPlace.allCases.firstIndex(of: place) ?? 0
        for (offset, fileSystem) in Self.fileSystems.enumerated() where LongTests.areWanted || offset == number % 2 {
            var campaign = campaign(
                try RekeyScene(place, keeps: keeps), fileSystem: fileSystem, seed: UInt64(40 + 2 * number + offset))
            try campaign.cutTwice(.killed, rounds: LongTests.areWanted ? 40 : 1, each: LongTests.areWanted ? 8 : 3)
            #expect(campaign.failures == [])
            report("power cuts of the run after a killed rekey (\(place), keeps \(keeps)): \(campaign.cuts)")
        }
    }

    @Test("at each of the last operations with which a run tidies up behind one that was killed while it built")
    func endOfTidying() throws {
        for place in LongTests.areWanted ? RekeyScene.KeyPlace.allCases : [.given] {
            var campaign = campaign(try RekeyScene(place, keeps: true), seed: 61)
            try campaign.cutEndOfTidying()
            #expect(campaign.failures == [])
            #expect(campaign.atRisk > 10)
        }
    }

    @Test("and behind one that was killed while it took its exchange back", arguments: [true, false])
    func afterKilledUndoing(keeps: Bool) throws {
        for first in [CutCampaign.First.killed, .powerCut] {
            let scene = try RekeyScene(.given, keeps: keeps, isDisturbed: true)
            var campaign = campaign(scene, seed: keeps ? 51 : 52)
            try campaign.cutTwice(
                first, rounds: LongTests.areWanted ? 60 : 4, each: LongTests.areWanted ? 12 : 5, onlyEnd: true)
            #expect(campaign.failures == [])
            report("power cuts after an exchange that was taken back (\(first), keeps \(keeps)): \(campaign.cuts)")
        }
    }

    @Test(
        "with syncs that do nothing it loses the store, so the cuts would find it",
        arguments: [[TreeLog.Kind.syncAll, .sync, .syncFolder], [.syncFolder], [.syncAll]])
    func withoutSyncs(ignored: [TreeLog.Kind]) throws {
        var campaign = campaign(try RekeyScene(.given, keeps: false), ignoring: Set(ignored), seed: 5)
        try campaign.cutOnce(LongTests.areWanted ? 100 : 24)
        let failures = campaign.failures
        #expect(failures.count > 2, "only \(failures.count) of \(campaign.cuts) cuts did harm")
    }
}
