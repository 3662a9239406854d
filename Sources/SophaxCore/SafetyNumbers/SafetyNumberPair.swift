/// All numbers that two people can compare: those that describe the contact, those that describe oneself, and the two that
/// Android makes of both. Format: SophaxChat 7.3.
public struct SafetyNumberPair: Sendable {
    /// A number that can prove a contact's keys, by the app that shows it and where.
    public enum Proof: String, Hashable, Sendable, CaseIterable {
        /// iOS shows it beside the contact, and earlier versions show it to the contact as his own.
        case iosStored = "ios-v0"
        /// Later iOS versions show it to the contact as his own.
        case iosOwn = "ios-v1"
        /// Android shows it beside the contact: mine → theirs.
        case androidMine = "android-mine"
        /// The contact's Android shows it beside me: theirs → mine.
        case androidTheirs = "android-theirs"
        /// Android shows it to the contact as his own.
        case androidOwn = "android-own"
    }

    /// A number of one's own keys alone; it proves nothing about the contact.
    public enum Own: String, Hashable, Sendable, CaseIterable {
        case iosStored = "ios-v0"
        case iosOwn = "ios-v1"
        case androidOwn = "android-own"
    }

    public let mine: IdentityPublicKeys
    public let theirs: IdentityPublicKeys

    public init(mine: IdentityPublicKeys, theirs: IdentityPublicKeys) {
        self.mine = mine
        self.theirs = theirs
    }

    public func number(_ proof: Proof) -> SafetyNumber {
        switch proof {
        case .iosStored: .iosV0(of: theirs)
        case .iosOwn: .iosV1(of: theirs)
        case .androidMine: .androidPair(mine: mine, theirs: theirs)
        case .androidTheirs: .androidPair(mine: theirs, theirs: mine)
        case .androidOwn: .androidOwn(of: theirs)
        }
    }

    public func number(_ own: Own) -> SafetyNumber {
        Self.number(own, of: mine)
    }

    public static func number(_ own: Own, of keys: IdentityPublicKeys) -> SafetyNumber {
        switch own {
        case .iosStored: .iosV0(of: keys)
        case .iosOwn: .iosV1(of: keys)
        case .androidOwn: .androidOwn(of: keys)
        }
    }
}
