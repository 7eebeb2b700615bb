// class: Counter
// kind: use-after-free
// The C-like classic: a write through a borrowed reference into freed memory.
final class Counter { var hits = 0; var misses = 0 }
struct Probe { unowned(unsafe) let counter: Counter }
final class Registry { var counters: [Counter] = [] }
@inline(never) func register(_ registry: Registry) -> Probe {
  let counter = Counter() // ALLOC
  registry.counters.append(counter)
  return Probe(counter: counter)
}
@inline(never) func unregister(_ registry: Registry) {
  registry.counters.removeAll() // FREE
}
@inline(never) func hit(_ probe: Probe) {
  probe.counter.misses = 9 // ACCESS
}
let registry = Registry()
let probe = register(registry)
#if !CLEAN
unregister(registry) // FREE-CALL
#endif
hit(probe)
unregister(registry)
print("end")
