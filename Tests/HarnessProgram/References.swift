import Glibc
import Lifeline

final class Target {
  let name: String
  init(_ name: String) { self.name = name }
  func greet() -> String { "hello from \(name)" }
}

final class Screen {
  @TrackedStrong var strong: Target? = nil
  @TrackedWeak var weakly: Target?
  @TrackedUnowned var unownedly: Target? = nil
  @TrackedUnownedUnsafe(onLostMessage: .ignore) var unsafely: Target? = nil
}

enum References {
  static func run() {
    let screen = Screen()
    do {
      let target = Target("one")
      screen.strong = target
      screen.weakly = target
      screen.unownedly = target
      screen.unsafely = target
      print(screen.$weakly.send { $0.greet() } ?? "nothing")
      print((screen.$strong.send { $0?.greet() }) ?? "nothing")
      print(screen.$unownedly.send { $0?.greet() } ?? "nothing")
      print(screen.$unsafely.send { $0!.greet() } ?? "nothing")
      screen.unownedly = nil
      let unmanaged = TrackedUnmanaged.passRetained(target)
      print(unmanaged.send { $0.greet() })
      unmanaged.release()
    }
    screen.strong = nil
    print(screen.weakly?.greet() ?? "gone")
    print(screen.$unsafely.isLost)
  }

  static func readDeadPlain() {
    unowned var reference: Target
    do {
      let target = Target("dead")
      reference = target
    }
    print(reference.name)
  }

  static func readDeadTracked() {
    @TrackedUnowned var reference: Target
    do {
      let target = Target("dead")
      _reference = TrackedUnowned(target)
    }
    print(reference.name)
  }

  static func useLost(_ policy: String) {
    let reference: TrackedUnownedUnsafe<Target?>
    do {
      let target = Target("lost")
      reference = TrackedUnownedUnsafe(target, onLostMessage: policy == "stop" ? .stop : policy == "ignore" ? .ignore : .proceed)
    }
    print(reference.isLost)
    fflush(nil)
    print(reference.send { _ in "sent" } ?? "not sent")
    if policy == "ignore" { print(reference.wrappedValue == nil) }
  }

  static func reuseAddress() {
    var reference = TrackedUnownedUnsafe<Target?>(nil, onLostMessage: .ignore)
    let first: UInt = {
      let target = Target("first")
      reference.wrappedValue = target
      return UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque())
    }()
    var kept: [Target] = []
    for _ in 0..<200_000 {
      let target = Target("next")
      if UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque()) == first {
        kept.append(target)
        break
      }
    }
    print(kept.isEmpty ? "not reused" : "reused", reference.isLost, reference.send { _ in 1 } ?? 0)
  }
}
