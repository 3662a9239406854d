import CryptoPrimitives
import JSONCoding

/// What several files of keys give to a keyring, one item an account: two files that disagree are found before anything is
/// written.
package struct RelatedOffer {
    /// Two values for one item.
    package struct Conflict: Error, Equatable, Sendable {
        package let account: [UInt8]
        /// Places of the files, from 0; the same when one file has both.
        package let first: Int
        package let second: Int
    }

    package enum Failure: Error, Equatable, Sendable {
        case conflict(Conflict)
        case memory
    }

    private var order: [KeychainItem] = []
    private var places: [ByteText: Int] = [:]
    private var groups: [BTMessageGroup] = []
    private var groupPlaces: [[UInt8]: (file: Int, place: Int)] = [:]
    /// Keys that say not what they are for.
    package private(set) var leftOut = 0

    package init() {}

    /// Adds all keys of one file. Equal values count once; groups of two files are put together.
    package mutating func add(_ keys: RelatedKeys, file: Int) throws(Failure) {
        for group in keys.groups {
            guard let known = groupPlaces[group.id] else {
                groupPlaces[group.id] = (file, groups.count)
                groups.append(group)
                continue
            }
            guard groups[known.place] == group else {
                throw .conflict(Conflict(account: Self.groupsAccount, first: known.file, second: file))
            }
        }
        let found: (items: [KeychainItem], leftOut: Int)
        do throws(SecretMemoryError) { found = try keys.items() } catch { throw .memory }
        leftOut += found.leftOut
        for item in found.items where item.account.bytes != Self.groupsAccount {
            guard let place = places[item.account] else {
                places[item.account] = file
                order.append(item)
                continue
            }
            let known = order.first { $0.account == item.account }
            if let known, !known.value.isEqual(to: item.value) {
                throw .conflict(Conflict(account: item.account.bytes, first: place, second: file))
            }
        }
    }

    /// All items, in the order of the files; the groups of btmessage last.
    package func items() throws(Failure) -> [KeychainItem] {
        guard !groups.isEmpty else { return order }
        let text = RelatedKeys.text(of: groups)
        do throws(SecretMemoryError) {
            return order + [KeychainItem(ByteText(Self.groupsAccount), try SecretBytes(copying: text.span))]
        } catch {
            throw .memory
        }
    }

    private static let groupsAccount = Array("btmessage.groups".utf8)
}
