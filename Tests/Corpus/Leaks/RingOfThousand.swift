// leak: 1000 Link
// path: Link.next
// One cycle of a thousand objects is one finding.
final class Link { var next: Link? }
@inline(never) func forge(_ count: Int) -> Int {
  let first = Link() // ALLOC
  var last = first
  for _ in 1..<count {
    let link = Link() // ALLOC
    last.next = link // KEPT
    last = link
  }
  #if CLEAN
  last = first
  while let next = last.next { last.next = nil; last = next }
  #else
  last.next = first // KEPT
  #endif
  return count
}
print(forge(1000))
