/// What one test allocated, and what happened to it.
public struct TestCost: Sendable, Equatable {
  /// "SessionTests.testClosing()".
  public let name: String
  public internal(set) var objects = 0
  public internal(set) var bytes = 0
  /// Maximum bytes of its objects that were live at once.
  public internal(set) var peakBytes = 0
  public internal(set) var liveObjects = 0
  var liveBytes = 0
  /// Retains of its objects, by any code.
  public internal(set) var retains = 0

  init(name: String) { self.name = name }

  mutating func allocate(_ size: Int) {
    objects += 1
    bytes += size
    liveObjects += 1
    liveBytes += size
    peakBytes = max(peakBytes, liveBytes)
  }

  mutating func free(_ size: Int) {
    liveObjects -= 1
    liveBytes -= size
  }
}
