import Glibc
import LifelineLifetimes
import LifelineTrace

extension Timeline {
  /// Objects allocated in a scope that are still live after it.
  public struct Survivors: Sendable, CustomStringConvertible {
    /// Objects of one class.
    public struct Group: Sendable, Equatable {
      /// Without the module.
      public let className: String
      /// The number of live objects.
      public let count: Int
      /// Their total size in bytes.
      public let bytes: Int
    }

    /// The name of the scope.
    public let scope: String
    /// "File.swift:12" with the module, like `#fileID`.
    public let place: String
    /// Most objects first, then by name.
    public let groups: [Group]
    /// Why the survivors are unknown, or nil.
    public let problem: String?

    /// Objects of all classes.
    public var count: Int { groups.reduce(0) { $0 + $1.count } }
    /// Whether it is known that nothing is left.
    public var isEmpty: Bool { groups.isEmpty && problem == nil }
    var isWorthSaying: Bool { !isEmpty }

    /// One sentence: what was left, or why that is unknown.
    public var description: String {
      if let problem { return "\(scope) (\(place)): the objects still live are unknown: \(problem)" }
      if groups.isEmpty { return "\(scope) (\(place)): no object allocated inside is still live" }
      let what = groups.map { "\($0.count) \($0.className)" }.joined(separator: ", ")
      return
        "\(scope) (\(place)): \(count) \(count == 1 ? "object" : "objects") allocated inside "
        + "\(count == 1 ? "is" : "are") still live: \(what)"
    }

    init(of span: UInt64, name: String, place: String) {
      scope = name
      self.place = place
      do {
        guard let path = Timeline.tracePath else { throw TraceError("there is no trace") }
        groups = try Self.groups(in: try Trace(path: path), span)
        problem = nil
      } catch {
        groups = []
        problem = "\(error)"
      }
    }

    func say() {
      var line = description + "\n"
      line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func groups(in trace: Trace, _ span: UInt64) throws -> [Group] {
      let reader = trace.events()
      let tracker = LifetimeTracker(trace)
      var event = Event()
      var begin: Event?
      while try reader.next(&event) {
        tracker.take(event, from: reader)
        guard event.kind == .span, event.argument1 == span else { continue }
        if event.isBegin {
          begin = event
          continue
        }
        guard let begin else { break }
        let own = tracker.liveObjects.filter {
          $0.allocationSequence > begin.sequence && $0.allocationThread == begin.thread
        }
        var totals: [String: (count: Int, bytes: Int)] = [:]
        for object in own {
          let name = tracker.id(of: object).shortClassName
          totals[name, default: (0, 0)].count += 1
          totals[name]!.bytes += Int(object.size)
        }
        return totals.map { Group(className: $0.key, count: $0.value.count, bytes: $0.value.bytes) }
          .sorted { ($1.count, $0.className) < ($0.count, $1.className) }
      }
      throw TraceError("the scope's begin and end are not in the trace")
    }
  }
}
