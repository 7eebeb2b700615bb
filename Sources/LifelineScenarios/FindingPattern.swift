/// Matches findings; a nil or empty property matches anything.
public struct FindingPattern: Codable, Sendable, Equatable {
  public var kind: String
  public var object: String?
  public var severity: String?
  public var access: String?
  public var message: String?
  public var holder: String?
  /// Mark in the source by role of a backtrace.
  public var lines: [String: String] = [:]

  public init(
    kind: String, object: String? = nil, severity: String? = nil, access: String? = nil, message: String? = nil,
    holder: String? = nil, lines: [String: String] = [:]
  ) {
    self.kind = kind
    self.object = object
    self.severity = severity
    self.access = access
    self.message = message
    self.holder = holder
    self.lines = lines
  }
}
