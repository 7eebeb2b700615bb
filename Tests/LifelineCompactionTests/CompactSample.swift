import Foundation
import LifelineCompaction
import LifelineTrace
import LifelineTraceBuilder
import SystemPackage

/// Traces to compact, and the results of compacting bytes.
enum CompactSample {
  /// Two streams of several chunks, the last of which is open.
  static var trace: TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    for chunk in 0..<6 {
      builder.addEvents(stream: UInt32(chunk % 2 + 1), clock: UInt64(1000 + chunk * 1000), sealed: chunk < 5) {
        stream in
        for index in 0..<50 {
          let address = UInt64(0x5000 + index * 4096)
          stream.add(
            3, address, at: [0x10, 0x20], time: stream.lastClock + 3, arguments: [1, UInt64(index % 2 * 300)])
          stream.add(
            1, address, count: 2, at: (0..<UInt64(index)).map { 0x10 + $0 * 0x1000 }, time: stream.lastClock + 200)
          stream.add(2, address, count: index % 3 == 0 ? nil : 1, at: [0x10])
          stream.add(21, address, arguments: [1, UInt64.max, 0])
        }
      }
    }
    return builder
  }

  /// The compact form of a trace's bytes.
  static func compacted(_ bytes: [UInt8]) throws -> [UInt8] {
    try written(bytes) { source, descriptor in _ = try CompactTraceWriter(source).write(to: descriptor) }
  }

  /// The original trace of a compact one.
  static func expanded(_ bytes: [UInt8]) throws -> [UInt8] {
    try written(bytes) { source, descriptor in try TraceExpander(source).write(to: descriptor) }
  }

  private static func written(_ bytes: [UInt8], _ body: (TraceFile, FileDescriptor) throws -> Void) throws -> [UInt8] {
    try TraceBuilder.withFile(containing: bytes) { path in
      let descriptor = try FileDescriptor.open(
        "\(path).out", .writeOnly, options: [.create], permissions: .ownerReadWrite)
      try descriptor.closeAfter { try body(TraceFile(path: path), descriptor) }
      return Array(try Data(contentsOf: URL(fileURLWithPath: "\(path).out")))
    }
  }

  /// Everything that a reader returns: the events, and sentences about damage.
  static func reading(_ bytes: [UInt8]) throws -> (events: [Event], problems: [String]) {
    try TraceBuilder.withFile(containing: bytes) { path in
      let trace = try Trace(opening: path)
      let reader = trace.events()
      var events: [Event] = []
      var event = Event()
      while try reader.next(&event) { events.append(event) }
      return (events, trace.problems + reader.problems)
    }
  }
}
