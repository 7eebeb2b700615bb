// leak: 1 MemoryRepository, 1 Counter
// path: MemoryRepository.observers, closure
// change: the MemoryRepository in repository
// not: [weak
// A variable of a generic type that need not be a class cannot be captured weakly, whatever it was optimized for.
protocol Repository {
  var items: [Int] { get }
  func observe(_ change: @escaping () -> Void)
}
final class MemoryRepository: Repository {
  let items = [1, 2, 3]
  var observers: [() -> Void] = []
  func observe(_ change: @escaping () -> Void) { observers.append(change) } // KEPT
}
final class Counter { var count = 0 }
@inline(never) func connect<R: Repository>(_ repository: R, _ counter: Counter) {
  #if CLEAN
  let count = repository.items.count
  repository.observe { counter.count += count }
  #else
  repository.observe { counter.count += repository.items.count } // KEPT
  #endif
}
@inline(never) func run() -> Int {
  let repository = MemoryRepository(), counter = Counter() // ALLOC
  connect(repository, counter) // KEPT-CALL
  for observer in repository.observers { observer() }
  return counter.count
}
print(run())
