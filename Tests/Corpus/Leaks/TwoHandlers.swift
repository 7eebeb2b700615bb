// leak: 1 Machine
// path: Machine.onStart, closure
// not: closure at main.swift:14 ([weak self]), and capture self weakly or unowned in the closure at main.swift:14
// Two closures capture the machine. The optimizer leaves the second one without work and without a line: it has its name.
final class Machine {
  var onStart: ((Int) -> Void)?
  var onStop: ((Int) -> Void)?
  var runs = 0
  func prepare() {
    #if CLEAN
    onStart = { [weak self] in self?.runs += $0 }
    onStop = { [weak self] _ in _ = self?.runs }
    #else
    onStart = { self.runs += $0 } // KEPT
    onStop = { _ in _ = self.runs } // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let machine = Machine() // ALLOC
  machine.prepare()
  machine.onStart?(2)
  machine.onStop?(1)
  return machine.runs
}
print(run())
