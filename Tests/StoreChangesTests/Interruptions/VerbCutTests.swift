import TestSupport
import Testing

/// The power goes while `store migrate`, `repair`, `prune`, `merge` or `bundle restore --store` runs.
@Suite("a migration, repair, pruning, merge or restoring that loses its power")
struct VerbCutTests {
    /// Each verb with one of the two ways to bring files to the disk; with both in the long campaign.
    private func each(_ verb: VerbScene.Verb, seed: UInt64, _ body: (inout CutCampaign) throws -> Void) throws {
        let number = VerbScene.Verb.allCases.firstIndex(of: verb) ?? 0
        let scene = try VerbScene(verb)
        for (offset, fileSystem) in [0xEF53, 0x7777].enumerated() where LongTests.areWanted || offset == number % 2 {
            var campaign = CutCampaign(scene, seed: seed + UInt64(2 * number + offset))
            campaign.fileSystem = fileSystem
            try body(&campaign)
            #expect(campaign.failures == [])
            report("power cuts of \(verb): \(campaign.cuts), \(campaign.atRisk) with something to lose")
        }
    }

    @Test(
        "once: the store is as it was or as it shall be, and a second run completes", arguments: VerbScene.Verb.allCases
    )
    func once(verb: VerbScene.Verb) throws {
        try each(verb, seed: 60) { campaign in
            try campaign.cutOnce(LongTests.areWanted ? 200 : 3)
            try campaign.cutOnce(LongTests.areWanted ? 100 : 4, onlyEnd: true)
            #expect(campaign.atRisk > 0)
        }
    }

    @Test("twice, the second time while it tidies up: the third run completes", arguments: VerbScene.Verb.allCases)
    func twice(verb: VerbScene.Verb) throws {
        try each(verb, seed: 80) { campaign in
            try campaign.cutTwice(.powerCut, rounds: LongTests.areWanted ? 30 : 1, each: LongTests.areWanted ? 8 : 2)
            try campaign.cutTwice(.killed, rounds: LongTests.areWanted ? 30 : 1, each: LongTests.areWanted ? 8 : 2)
        }
    }
}
