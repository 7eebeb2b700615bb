// Looks like a resurrection but is not: self is retained in deinit and released before deinit ends.
final class Registry { var names: [ObjectIdentifier: String] = [:]; func remove(_ object: AnyObject) { names[ObjectIdentifier(object)] = nil } }
let registry = Registry()
final class Member {
  init(_ name: String) { registry.names[ObjectIdentifier(self)] = name }
  deinit {
    registry.remove(self)
    let copies = [self, self]
    precondition(copies.count == 2)
    work { $0.touch() }
  }
  @inline(never) func work(_ body: (Member) -> Void) { body(self) }
  @inline(never) func touch() {}
}
for index in 0..<100 { _ = Member("\(index)") }
print(registry.names.count)
