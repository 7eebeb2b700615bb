import Foundation

/// The document `lifeline.live/1`: the live objects at a moment. The property names are the JSON's.
public struct LiveDocument: Codable, Sendable, Equatable {
  public static let schemaName = "lifeline.live/1"

  public struct Program: Codable, Sendable, Equatable {
    public var path: String
    public var processID: Int
    public var isRunning: Bool
    /// How the process ended, or what is wrong with its trace; nil if neither applies.
    public var remark: String?
  }

  public struct Rates: Codable, Sendable, Equatable {
    public var allocations: Double
    public var deinits: Double
    public var retains: Double
  }

  public struct Class: Codable, Sendable, Equatable {
    public var name: String
    public var live: Int
    public var bytes: Int
    public var allocated: Int
    public var deinits: Int
    public var retains: Int
    public var releases: Int
    /// Per second; nil in a single snapshot.
    public var perSecond: Rates?
  }

  public struct Object: Codable, Sendable, Equatable {
    public var address: String
    public var `class`: String
    /// Nanoseconds.
    public var age: UInt64
    public var bytes: Int
    public var place: String
  }

  public struct Finding: Codable, Sendable, Equatable {
    public var kind: String
    public var `class`: String
    public var title: String
  }

  public var schema = LiveDocument.schemaName
  public var program: Program
  /// Nanoseconds since the recording began.
  public var elapsed: UInt64
  public var events: Int
  /// One in this many objects was recorded, and the numbers are the sample's; nil for all.
  public var sample: Int?
  public var live: Int
  public var allocated: Int
  public var deinits: Int
  public var perSecond: Rates?
  public var classes: [Class]
  public var oldest: [Object]
  public var findings: [Finding]
  public var findingCount: Int

  public init(_ snapshot: LiveSnapshot, withRates: Bool) {
    func rates(_ rate: LiveRates.Rate) -> Rates? {
      withRates ? Rates(allocations: rate.allocations, deinits: rate.deinits, retains: rate.retains) : nil
    }
    let total = snapshot.total
    program = Program(
      path: snapshot.program, processID: snapshot.process, isRunning: snapshot.isRunning,
      remark: snapshot.remark.isEmpty ? nil : snapshot.remark)
    elapsed = snapshot.elapsed
    events = snapshot.events
    sample = snapshot.sample > 1 ? snapshot.sample : nil
    live = total.live
    allocated = total.allocated
    deinits = total.ended
    perSecond = rates(snapshot.rates.total)
    classes = snapshot.rows.map {
      Class(
        name: $0.name, live: $0.live, bytes: $0.bytes, allocated: $0.allocated, deinits: $0.ended, retains: $0.retains,
        releases: $0.releases, perSecond: rates(snapshot.rates[$0.name]))
    }
    oldest = snapshot.oldest.map {
      Object(
        address: "0x" + String($0.address, radix: 16), class: $0.className, age: $0.age, bytes: $0.size, place: $0.place
      )
    }
    findings = snapshot.findings.map { Finding(kind: $0.kind, class: $0.className, title: $0.title) }
    findingCount = snapshot.findingCount
  }

  /// The JSON, on one line if it is one of many.
  public func text(isOneLine: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if !isOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}
