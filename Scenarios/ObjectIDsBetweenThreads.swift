// Passing objects between threads, and passing their IDs.
//
// From object-lifetime-management.txt: a background thread that fetches for the main thread passes object IDs,
// and must keep its own objects until the main thread has used the IDs to create its objects; otherwise the
// fetched data is gone, and the main thread has to read the store again. Passing the objects themselves is the
// bug: they belong to the background context, die with its last reference, and the main thread uses freed memory.
//
// Found: with objects, a use after free on the main thread. With IDs, nothing; the scenario counts
// how often the main thread has to read the store for what the background has already fetched.
import LifelineScenarios

enum ObjectIDsBetweenThreads {
  /// What a background thread hands to the main thread.
  final class Mailbox: @unchecked Sendable {
    var ids: [ManagedObjectID] = []
    unowned(unsafe) var first: ManagedObject?
    var prefetched: [ManagedObject] = []
    weak var context: ManagedObjectContext?
  }

  /// Reads a row: from a living object of the background's context if there is one, else from the store.
  private static func read(_ id: ManagedObjectID, _ mailbox: Mailbox, _ store: PersistentStoreCoordinator, misses: Tally) -> Row? {
    if let known = mailbox.context?.registeredObject(id) { return known.values }
    misses.add()
    return store.row(id)
  }

  static func play(keepsUntilUsed: Bool, misses expected: Int) {
    let store = ContextKeepsNothing.makeStore()
    let background = ManagedObjectContext(store)
    let mailbox = Mailbox()
    let fetched = Gate(), used = Gate(), misses = Tally()
    let worker = Worker("background") {
      var objects = background.fetch()
      mailbox.ids = objects.map(\.id)
      mailbox.context = background
      if !keepsUntilUsed { objects = [] }
      fetched.open()
      if keepsUntilUsed { used.wait() }
      observe("objects kept in the background", objects.count, is: keepsUntilUsed ? 2 : 0)
    }
    fetched.wait()
    if !keepsUntilUsed { worker.join() }
    let names = mailbox.ids.compactMap { read($0, mailbox, store, misses: misses)?.name }
    used.open()
    if keepsUntilUsed { worker.join() }
    observe("names", names, is: ["Ada", "Grace"])
    observe("reads of the store by the main thread", misses.count, is: expected)
  }

  static func passObjects() {
    let store = ContextKeepsNothing.makeStore()
    let background = ManagedObjectContext(store)
    let mailbox = Mailbox()
    let worker = Worker("background") {
      let objects = background.fetch()
      mailbox.first = objects[0]
    }  // <- background lets go
    worker.join()
    tell("name: \(mailbox.first!.name)")  // <- main reads
  }

  static let scenario = Scenario(
    "ObjectIDsBetweenThreads", "A background thread fetches for the main thread", from: "object-lifetime-management.txt",
    variants: [
      Variant(
        "objects-passed", "The object itself is passed; it dies with the background's last reference.",
        expect: [.found("use-after-free", "ManagedObject#1", lines: ["access": "main reads"])]
      ) { passObjects() },
      Variant(
        "ids-passed", "IDs are passed, but the background releases its objects too early: the main thread reads the store again.",
        expect: [.live("ManagedObject", count: 0)]
      ) {
        play(keepsUntilUsed: false, misses: 2)
      },
      Variant("kept-until-used", "The background keeps its objects until the main thread has its own.", expect: [.live("ManagedObject", count: 0)]) {
        play(keepsUntilUsed: true, misses: 0)
      },
    ])
}
