import CommandKit
import SQLiteDatabase

extension SealedFinding {
    var text: TerminalText {
        switch self {
        case .headerCopyDamaged(let copy): "copy \(copy) of the header is damaged; the next change mends it"
        case .headerCopyTampered(let copy): "copy \(copy) of the header was changed by something else than sxkey"
        case .headerCopyOlder(let copy): "copy \(copy) of the header is older; the next change finishes that"
        case .page(let number): "page \(number) is not what was written there"
        case .freePage(let number): "page \(number), which holds nothing, is not what was written there"
        case .surplusPages(let count): "\(count: count, "page") behind the last one"
        case .structure(let line): "\(line)"
        case .references(let table, let rows):
            "\(count: rows, "row") of the table \(table) refer to what is not there"
        }
    }
}
