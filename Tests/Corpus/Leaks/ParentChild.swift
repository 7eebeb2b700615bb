// leak: 1 Parent, 1 Child
// path: Parent.child, Child.parent
// Two objects that refer to each other.
final class Parent { var child: Child? }
final class Child {
  #if CLEAN
  unowned let parent: Parent
  #else
  let parent: Parent
  #endif
  init(_ parent: Parent) { self.parent = parent } // KEPT
}
@inline(never) func build() -> Bool {
  let parent = Parent() // ALLOC
  parent.child = Child(parent) // KEPT ALLOC
  return parent.child?.parent === parent
}
print(build())
