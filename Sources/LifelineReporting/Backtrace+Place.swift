extension Report.Backtrace {
  /// The first frame outside of the toolchain's libraries: who is responsible.
  public var responsible: Report.Frame? {
    frames.first { !$0.isSystem } ?? frames.first
  }

  /// The first line of the program's own code that has one; releases and deinits often carry line 0.
  public var line: Report.Frame? {
    frames.first { !$0.isSystem && $0.line != nil }
  }

  /// "Master.swift:16", or nil when no line is known.
  public var location: String? { line?.location }
}

extension Report.Frame {
  /// "Master.swift:16", or nil when no line is known.
  public var location: String? {
    guard let file, let line else { return nil }
    return "\(file.split(separator: "/").last ?? ""):\(line)"
  }
}
