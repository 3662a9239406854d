import SophaxFiles

/// Merges the conversations of two bundles, message by message.
enum ConversationMerge {
    /// The merged conversations, in the order of their ids.
    static func merged(
        _ first: MergeContent, _ second: MergeContent, _ names: inout EntryNames, _ report: inout MergeReport
    ) throws(EntryError) -> [HeldText] {
        []
    }
}
