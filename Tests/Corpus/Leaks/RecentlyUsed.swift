// leak: 3 Entry
// path: Entry.next, Entry.prev
// change: Entry.prev weak
// A list that gets new entries at its head: each has strong references to its neighbors, and the older one is its next.
final class Entry {
  let key: Int
  #if CLEAN
  weak var prev: Entry?
  #else
  var prev: Entry?
  #endif
  var next: Entry?
  init(_ key: Int) { self.key = key }
}
final class Recent {
  private var head: Entry?
  @inline(never) func add(_ key: Int) {
    let entry = Entry(key) // ALLOC
    entry.next = head // KEPT
    head?.prev = entry // KEPT
    head = entry // KEPT-CALL
  }
  var latest: Int { head?.key ?? 0 }
}
@inline(never) func fill() -> Int {
  let recent = Recent()
  for key in 1...3 { recent.add(key) } // KEPT-CALL
  return recent.latest
}
print(fill())
