/// Small pictures that stand in the pages.
enum PageIcons {
    static let search: StaticString = """
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5" fill="none" \
        stroke="currentColor" stroke-width="1.8"/><path d="M12.7 12.7 17 17" stroke="currentColor" stroke-width="1.8" \
        stroke-linecap="round"/></svg>
        """
}
