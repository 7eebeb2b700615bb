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
      reference = TrackedUnownedUnsafe(target, onLostMessage: policy == "stop" ? .stop : policy == "ignore" ? .ignore : .continue)
    }
    print(reference.isLost)
    fflush(nil)
    print(reference.send { _ in "sent" } ?? "not sent")
    if policy == "ignore" { print(reference.wrappedValue == nil) }
  }

  static func useLostProperty() {
    let screens = [Screen(), Screen()]
    do {
      let target = Target("lost")
      screens[1].unsafely = target
      print(screens[1].greet())
    }
    print(screens[1].greet())
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

  /// Thousands of watched objects that die in random order, some at addresses of earlier ones.
  static func watchMany() {
    var generator = Generator(state: 7)
    var objects: [Target?] = (0..<5_000).map { Target("\($0)") }
    var references = objects.map { TrackedUnownedUnsafe<Target?>($0) }
    var wrong = 0, lost = 0
    for _ in 0..<40_000 {
      let index = generator.next(objects.count)
      objects[index] = nil
      if generator.next(3) > 0 {
        objects[index] = Target("again")
        // Every second time, the reference keeps referring to the dead object.
        if generator.next(2) == 0 { references[index].wrappedValue = objects[index] }
      } else if generator.next(4) == 0 {
        references[index].wrappedValue = nil
      }
      let probe = generator.next(objects.count)
      let address = UInt(bitPattern: objects[probe].map { Unmanaged.passUnretained($0).toOpaque() })
      if references[probe].isLost {
        lost += 1
        // A dead object is never reported as live, unless another object has its address.
        if let name = objects[probe]?.name, name != "again", address != 0 { wrong += 1 }
      }
    }
    for index in objects.indices {
      guard let object = objects[index] else { continue }
      references[index].wrappedValue = object
      if references[index].isLost { wrong += 1 }
    }
    objects = []
    var gone = 0
    for reference in references { gone += reference.isLost ? 1 : 0 }
    let held = references.count - gone
    print(wrong, lost > 1_000, gone > 3_000, gone + held)
  }
}

extension Screen {
  @inline(never) func greet() -> String { $unsafely.send { $0!.greet() } ?? "nobody" }
}

/// Its reference is set while the object is initialized.
final class Frame {
  @TrackedStrong var target: Target
  init(_ target: Target) { self.target = target }
  @inline(never) func greet() -> String { target.greet() }
}
