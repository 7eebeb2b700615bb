// leak: 1 Hub, 1 Search, 1 Cart
// path: Hub.subscribers, Search.hub
// change: Make Feature.hub weak
// Two objects have the hub, which their owner needs only as long as it has it itself: both references can be weak.
struct Event { var name: String }
protocol Subscriber<Input>: AnyObject {
  associatedtype Input
  func receive(_ input: Input)
}
final class Hub<Input> {
  private var subscribers: [any Subscriber<Input>] = []
  func add(_ subscriber: some Subscriber<Input>) { subscribers.append(subscriber) } // KEPT
  func send(_ input: Input) { for subscriber in subscribers { subscriber.receive(input) } }
}
class Feature {
  #if CLEAN
  unowned let hub: Hub<Event>
  #else
  let hub: Hub<Event>
  #endif
  init(hub: Hub<Event>) { self.hub = hub } // KEPT
}
final class Search: Feature, Subscriber {
  private(set) var queries: [String] = []
  func receive(_ input: Event) { queries.append(input.name) }
  override init(hub: Hub<Event>) {
    super.init(hub: hub)
    hub.add(self) // KEPT
  }
}
final class Cart: Feature, Subscriber {
  private(set) var count = 0
  func receive(_ input: Event) { count += 1 }
  override init(hub: Hub<Event>) {
    super.init(hub: hub)
    hub.add(self) // KEPT
  }
}
@inline(never) func run() -> Int {
  let hub = Hub<Event>() // ALLOC KEPT-CALL
  let search = Search(hub: hub), cart = Cart(hub: hub) // ALLOC KEPT-CALL
  hub.send(Event(name: "tap"))
  hub.send(Event(name: "buy"))
  return search.queries.count + cart.count
}
print(run())
