/// The files that every export has: one style sheet and two scripts, the same bytes always.
enum HTMLAssets {
    static let style = Array((StyleSheet.base + StyleSheet.messages + StyleSheet.lists).utf8)
    static let pageScript = Array(PageScript.text.utf8)
    static let searchScript = Array((PageScript.text + SearchScript.words + SearchScript.page).utf8)
}
