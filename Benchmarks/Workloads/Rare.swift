/// What a filter for one rare class finds: an object now and then among millions.
final class Rare {
  var partner: Rare?
}

/// Makes a few objects of the rare class.
@inline(never)
func makeRareObjects() -> Int {
  var made = 0
  for _ in 0..<100 {
    let rare = Rare()
    rare.partner = Rare()
    made &+= rare.partner == nil ? 0 : 1
  }
  return made
}
