// class: Entry
// kind: over-release
// An array is destroyed after its element was over-released: libswiftCore makes the release.
final class Entry { var value = 1 }
final class Log { var entries: [Entry] = [] }
@inline(never) func write(_ log: Log) -> Unmanaged<Entry> {
  let entry = Entry() // ALLOC
  log.entries = [entry, Entry(), Entry()]
  return .passUnretained(entry)
}
@inline(never) func trim(_ entry: Unmanaged<Entry>) {
  #if !CLEAN
  entry.release() // FREE
  #endif
}
@inline(never) func clear(_ log: Log) {
  log.entries = [] // ACCESS
}
let log = Log()
trim(write(log)) // FREE-CALL
clear(log)
print("end")
