// object: Entry#1
// verdict: on time
// rule:
// finding: none
// A block clears the cache: this released the last owner, not a hold of the block. Its code is inlined into its entry.
import Dispatch
final class Entry: @unchecked Sendable { let value: Int; init(_ value: Int) { self.value = value } }
final class Cache: @unchecked Sendable {
  private let queue = DispatchQueue(label: "cache")
  private var entries: [Int: Entry] = [:]
  func set(_ key: Int, _ entry: Entry) { queue.sync { entries[key] = entry } }
  func get(_ key: Int) -> Entry? { queue.sync { entries[key] } }
  func purge() { queue.async { self.entries.removeAll() } }
  func wait() { queue.sync {} }
}
final class Screen { var entry: Entry? }
@inline(never) func show(_ screen: Screen, _ cache: Cache) {
  let entry = Entry(1)
  cache.set(1, entry)
  screen.entry = entry
}
@inline(never) func close(_ screen: Screen) { screen.entry = nil }
@inline(never) func run() {
  let cache = Cache(), screen = Screen()
  show(screen, cache)
  close(screen)
  cache.purge()
  cache.wait()
  print(cache.get(1) == nil)
}
run()
print("end")
