// Caches written in Swift and Foundation's caches.
import Foundation
final class Picture: NSObject { var pixels = [UInt8](repeating: 1, count: 100) }
final class Key: NSObject {}
enum Cache { nonisolated(unsafe) static var pictures: [String: Picture] = [:]; nonisolated(unsafe) static let system = NSCache<NSString, Picture>() }
let table = NSMutableDictionary()
@inline(never) func fill() -> Int {
  for number in 0..<50 {
    Cache.pictures["\(number)"] = Picture()
    Cache.system.setObject(Picture(), forKey: NSString(string: "\(number)"))
    table["\(number)"] = Picture()
  }
  return Cache.pictures.count
}
print(fill())
