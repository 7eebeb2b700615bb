// Deep hierarchies, generics, casts, class methods and dynamic types, all legal.
class Animal { class var kind: String { "animal" }; required init() {}; func sound() -> String { "" } }
class Dog: Animal { override class var kind: String { "dog" }; override func sound() -> String { "woof" } }
final class Puppy: Dog { override func sound() -> String { super.sound() + "!" } }
final class Cage<T: Animal> { var animal: T?; init() { animal = T() }; func open() -> T? { defer { animal = nil }; return animal } }
var text = ""
for _ in 0..<50 {
  for type in [Animal.self, Dog.self, Puppy.self] as [Animal.Type] {
    let animal = type.init()
    text = type.kind + animal.sound()
    if let dog = animal as? Dog { text += dog.sound() }
  }
  text += Cage<Puppy>().open()!.sound() + Cage<Dog>().open()!.sound()
}
print(text)
