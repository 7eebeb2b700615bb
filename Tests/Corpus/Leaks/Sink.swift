// leak: 1 ViewModel, 1 Subject, 1 Subscription
// path: ViewModel.subscriptions, Subscription.cancel, Subject.sinks, closure
// A subscription as in Combine-like libraries: the sink captures the object that keeps the subscription.
final class Subject {
  var sinks: [Int: (Int) -> Void] = [:]
  func sink(_ receive: @escaping (Int) -> Void) -> Subscription {
    let key = sinks.count
    sinks[key] = receive
    return Subscription { self.sinks[key] = nil }
  }
  func send(_ value: Int) { for sink in sinks.values { sink(value) } }
}
final class Subscription: Hashable {
  let cancel: () -> Void
  init(_ cancel: @escaping () -> Void) { self.cancel = cancel }
  static func == (a: Subscription, b: Subscription) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
final class ViewModel {
  var subscriptions: Set<Subscription> = []
  var sum = 0
  @inline(never) func bind(_ subject: Subject) {
    #if CLEAN
    subscriptions.insert(subject.sink { [weak self] in self?.sum += $0 })
    #else
    subscriptions.insert(subject.sink { self.sum += $0 }) // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let subject = Subject() // ALLOC
  let model = ViewModel() // ALLOC
  model.bind(subject) // KEPT-CALL
  subject.send(3)
  return model.sum
}
print(run())
