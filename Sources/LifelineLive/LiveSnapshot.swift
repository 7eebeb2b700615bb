/// Everything that is shown of a process at a moment.
public struct LiveSnapshot: Sendable, Equatable {
  /// An object with its names.
  public struct Object: Sendable, Equatable {
    public let address: UInt64
    public let className: String
    /// Nanoseconds.
    public let age: UInt64
    public let size: Int
    /// "Service.start() main.swift:12".
    public let place: String

    public init(address: UInt64, className: String, age: UInt64, size: Int, place: String) {
      self.address = address
      self.className = className
      self.age = age
      self.size = size
      self.place = place
    }
  }

  /// A problem.
  public struct Finding: Sendable, Equatable {
    public let kind: String
    public let className: String
    public let title: String

    public init(kind: String, className: String, title: String) {
      self.kind = kind
      self.className = className
      self.title = title
    }
  }

  public var program = ""
  public var process = 0
  public var isRunning = true
  /// One in this many objects is recorded; 1 for all. Numbers of objects are the sample's.
  public var sample = 1
  /// How the process ended or what is wrong; "" while neither applies.
  public var remark = ""
  /// Nanoseconds since the recording began.
  public var elapsed: UInt64 = 0
  public var events = 0
  /// By name.
  public var rows: [LiveRow] = []
  public var rates = LiveRates()
  public var oldest: [Object] = []
  /// In order of arrival.
  public var findings: [Finding] = []
  /// The number of all findings, including those not listed.
  public var findingCount = 0

  public init() {}

  public var total: LiveRow { rows.reduce(into: LiveRow(name: "")) { $0.add($1) } }
}
