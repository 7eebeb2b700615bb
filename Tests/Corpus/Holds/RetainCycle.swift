// object: Parent#1
// verdict: never
// rule: 
// finding: leak
// Two objects that hold each other outlive everything else.
final class Parent { var child: Child? }
final class Child { var parent: Parent? }
final class Home { var parent: Parent? }
@inline(never) func build(_ home: Home) {
  let parent = Parent(), child = Child()
  parent.child = child
  child.parent = parent
  home.parent = parent
}
@inline(never) func leave(_ home: Home) {
  home.parent = nil // OWNER
}
let home = Home()
build(home)
leave(home)
print("end")
