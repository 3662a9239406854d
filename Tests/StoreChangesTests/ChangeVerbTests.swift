import StoreChanges
import Testing

@Suite("The verbs that change a store")
struct ChangeVerbTests {
    @Test("the kept folder is named after the verb and the day, and numbered when that name is taken")
    func keptName() {
        #expect(ChangeVerb.rekey.keptName(of: "phone", date: "2026-11-30") == "phone.before-rekey-2026-11-30")
        #expect(
            ChangeVerb.prune.keptName(of: "/a/b", date: "2026-01-02", number: 3) == "/a/b.before-prune-2026-01-02-3")
    }
}
