// Closure contexts and boxes: captured variables, escaping and nested closures, lazy properties.
final class Machine { lazy var parts: [Int] = (0..<5).map { $0 * self.factor }; let factor = 3; var handlers: [(Int) -> Int] = [] }
func counter() -> () -> Int { var count = 0; return { count += 1; return count } }
var total = 0
for _ in 0..<100 {
  let next = counter()
  let machine = Machine()
  var offset = 1
  machine.handlers.append { [weak machine] value in offset += value; return (machine?.factor ?? 0) + offset }
  machine.handlers.append { value in value + next() }
  total += machine.handlers.reduce(machine.parts[1]) { $1($0) }
}
print(total)
