// Objects that live forever, immortal constants and empty collections.
import Foundation
final class Settings: @unchecked Sendable { static let shared = Settings(); var values: [String: Int] = [:] }
enum Constants { static let names = ["a", "b"]; static let empty: [Settings] = [] }
for index in 0..<50 { Settings.shared.values["\(index % 7)"] = index }
let literals = ["one", "two", "three"].map { $0 + Constants.names[0] }
print(Settings.shared.values.count, literals.count, Constants.empty.count, NSString(string: "x").length)
