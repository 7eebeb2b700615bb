/// The state of an object in its life.
///
/// live → deiniting (final release) → deinited (deallocated; unowned references may keep the memory) → freed. An object
/// whose initializer failed goes from live to freed; one that a program deallocates manually may skip the final
/// release.
public enum ObjectState: UInt8, Sendable, Comparable {
  case live = 0
  case deiniting = 1
  case deinited = 2
  case freed = 3

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
