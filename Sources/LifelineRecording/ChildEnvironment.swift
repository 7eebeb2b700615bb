import Glibc

/// The environment that a program is started with: ours, in order and byte for byte, except for variables set here.
struct ChildEnvironment {
  /// "NAME=value" entries.
  private(set) var entries: [[UInt8]] = []

  /// Our own environment.
  init() {
    var next = environ
    while let entry = next.pointee {
      entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
      next += 1
    }
  }

  init(entries: [String]) { self.entries = entries.map { Array($0.utf8) } }

  /// The value of a variable's first entry, which getenv finds; nil if there is none.
  func value(of name: String) -> [UInt8]? {
    let start = Array("\(name)=".utf8)
    return entries.first { $0.starts(with: start) }.map { Array($0.dropFirst(start.count)) }
  }

  /// Replaces a variable in place, or adds it.
  mutating func set(_ name: String, to value: [UInt8]) {
    let start = Array("\(name)=".utf8)
    if let index = entries.firstIndex(where: { $0.starts(with: start) }) {
      entries[index] = start + value
    } else {
      entries.append(start + value)
    }
  }

  /// Puts the probe before libraries that are already preloaded.
  mutating func preload(_ probe: String) {
    let others = value(of: "LD_PRELOAD") ?? []
    set("LD_PRELOAD", to: Array(probe.utf8) + (others.isEmpty ? [] : [UInt8(ascii: ":")] + others))
  }
}
