// class: Person
// kind: use-after-free
// A string in a freed object is read.
class Person { var name = "a name that is too long for fifteen bytes"; func greeting() -> String { name } }
final class Directory { var people: [String: Person] = [:] }
@inline(never) func enter(_ directory: Directory) -> Unmanaged<Person> {
  let person = Person() // ALLOC
  directory.people["x"] = person
  return .passUnretained(person)
}
@inline(never) func leave(_ directory: Directory) {
  directory.people.removeAll() // FREE
}
@inline(never) func greet(_ person: Unmanaged<Person>) -> Int {
  person.takeUnretainedValue().greeting().utf8.count // ACCESS
}
let directory = Directory()
let person = enter(directory)
#if !CLEAN
leave(directory) // FREE-CALL
#endif
print(greet(person) >= 0)
leave(directory)
