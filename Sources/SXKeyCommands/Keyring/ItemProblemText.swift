import CommandKit
import Keyring
import SophaxCore

extension ItemProblem {
    /// What is wrong, in words; lower case, no full stop.
    var text: TerminalText {
        switch self {
        case .length(let expected, let found): "it has \(count: found, "byte"), not \(expected)"
        case .empty: "it is empty"
        case .notUTF8: "it is not UTF-8"
        case .notJPEG: "it is no JPEG picture"
        case .notFinite: "its date is no number"
        case .notAFlag: "it is neither 0 nor 1"
        case .seedMismatch: "its seed is not that of the public key whose hash stands beside it"
        case .unknownLayout:
            "it is damaged or of a layout that is not known, so it is kept and not used; \"sxkey identity import --own-bundle\" can tell"
        case .notJSON(let offset): "it is not the JSON that belongs there (byte \(offset))"
        case .field("", let reason): "it \(trusted: reason.sentence)"
        case .field(let path, let reason): "\(quoted: Array(path.utf8)) in it \(trusted: reason.sentence)"
        case .tooLarge(let ceiling): "it is larger than \(ceiling) bytes"
        case .session(let finding): SessionFinding(finding).meaning
        case .outOfMemory: "there is no locked memory for it"
        }
    }
}
