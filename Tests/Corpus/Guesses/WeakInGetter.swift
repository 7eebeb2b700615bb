// object: Token#1
// guess: Observation
// A getter reads the weak one of two properties: its caller releases the result, not the strong property.
protocol Observer: AnyObject {}
final class Token: Observer { var value = 1 }
final class Desk { var token: Token? = Token() }
final class Observation {
  private weak var weakObserver: (any Observer)?
  private var strongObserver: (any Observer)?
  private var observer: (any Observer)? { strongObserver ?? weakObserver }
  init(_ observer: some Observer) { weakObserver = observer }
  @inline(never) func isWrapping(_ other: some Observer) -> Bool { observer === other }
}
@inline(never) func run(_ desk: Desk) {
  let observation = Observation(desk.token!)
  print(observation.isWrapping(desk.token!))
}
@inline(never) func end(_ desk: Desk) { desk.token = nil }
let desk = Desk()
run(desk)
end(desk)
print("end")
