// leak: 1 Owner, 1 Pet
// path: Owner.pet, Pet.feed, closure
// The pet has an unowned reference to its owner, as it should; its closure has a strong one.
final class Owner { var pet: Pet?; var food = 3 }
final class Pet {
  unowned let owner: Owner
  var feed: (() -> Int)?
  init(_ owner: Owner) { self.owner = owner }
  @inline(never) func train() {
    #if CLEAN
    feed = { [unowned owner] in owner.food }
    #else
    feed = { [owner] in owner.food } // KEPT
    #endif
  }
}
@inline(never) func adopt() -> Int {
  let owner = Owner() // ALLOC
  let pet = Pet(owner) // ALLOC
  owner.pet = pet
  pet.train() // KEPT-CALL
  return pet.feed!()
}
print(adopt())
