import CLifelineFormat
import LifelineTrace

/// Appends a snapshot to the trace of its process, which must have ended.
public struct HeapSnapshotWriter {
  private let path: String

  public init(path: String) { self.path = path }

  /// - Throws: `TraceError` if the file is not a trace or cannot be written.
  public func append(_ snapshot: HeapSnapshot) throws {
    let bytes = HeapSnapshotEncoding.bytes(of: snapshot)
    let size = TraceAppender.largestRecord - 8
    let parts = max(1, (bytes.count + size - 1) / size)
    let records = (0..<parts).lazy.map { part -> [UInt8] in
      let head = [UInt32(part), UInt32(parts)].flatMap { number in
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
      }
      let contents = bytes[part * size..<min((part + 1) * size, bytes.count)]
      let length = withUnsafeBytes(of: UInt32(contents.count).littleEndian) { Array($0) }
      return head + length + contents
    }
    try TraceAppender(path: path).append(kind: LIFELINE_RECORD_heap.rawValue, records)
  }
}
