import LifelineTrace

extension Trace {
  /// Opens a trace, compact or plain.
  ///
  /// - Throws: `TraceError` if the file cannot be read or is not a trace of this version.
  public convenience init(opening path: String) throws {
    let file = try TraceFile(path: path)
    if try CompactTraceFile.isCompact(file) {
      try self.init(CompactTraceFile(file))
    } else {
      try self.init(file)
    }
  }
}
