// Objects that are freed before they are fully initialized: by throwing and failable initializers, at every level.
struct Refused: Error {}
class Base { let name: String; init(_ name: String) throws { if name.isEmpty { throw Refused() }; self.name = name } }
final class Derived: Base {
  let other: Base
  override init(_ name: String) throws { other = try Base("other"); if name == "late" { throw Refused() }; try super.init(name == "early" ? "" : name) }
}
final class Failable { let base: Base; init?(_ name: String) { guard let base = try? Base(name), name != "no" else { return nil }; self.base = base } }
final class Parsed { let base: Base; init(_ name: String) throws { base = try Base(name); throw Refused() } }
var made = 0
for round in 0..<200 {
  for name in ["", "early", "late", "good", "no"] {
    if (try? Derived(name)) != nil { made += 1 }
    if Failable(name) != nil { made += 1 }
    if (try? Parsed(name)) != nil { made += round }
  }
}
print(made)
