import LifelineTrace
import SystemPackage

/// Writes the original trace of a compact one.
public struct TraceExpander {
  private let trace: CompactTraceFile

  /// - Throws: `TraceError` if the file is not a compact trace.
  public init(_ file: TraceFile) throws {
    guard try CompactTraceFile.isCompact(file) else {
      throw TraceError("The file \(file.path) is not a compact trace.")
    }
    trace = try CompactTraceFile(file)
  }

  /// Writes every byte of the trace.
  ///
  /// - Throws: `TraceError` if the compact trace is damaged, `Errno` if the descriptor cannot be written.
  public func write(to descriptor: FileDescriptor, progress: ((Int64) -> Void)? = nil) throws {
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    var offset: Int64 = 0
    while offset < trace.size {
      let count = try piece.withUnsafeMutableBytes { try trace.read(into: $0, at: offset) }
      guard trace.damagedGroups.isEmpty else {
        throw TraceError(
          "The compact trace \(trace.path) is damaged, so its trace cannot be restored; "
            + "`lifeline report` reads the intact part."
        )
      }
      _ = try descriptor.writeAll(piece[..<count])
      offset += Int64(count)
      progress?(offset)
    }
  }
}
