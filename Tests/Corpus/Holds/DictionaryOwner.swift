// object: Entry#1
// verdict: on time
// rule: 
// finding: none
// A dictionary is the owner, and removing the key ends its hold.
final class Entry { var value = 1 }
final class Cache { var entries: [String: Entry] = [:] }
@inline(never) func fill(_ cache: Cache) { cache.entries["a"] = Entry() }
@inline(never) func evict(_ cache: Cache) {
  cache.entries["a"] = nil // OWNER
}
let cache = Cache()
fill(cache)
evict(cache)
print("end")
