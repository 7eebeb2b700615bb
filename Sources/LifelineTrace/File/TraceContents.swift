/// The bytes of a trace, from any source.
public protocol TraceContents: AnyObject {
  /// The file that holds them.
  var path: String { get }
  /// Bytes of the trace.
  var size: Int64 { get }
  /// Reads into the whole buffer; returns the bytes read, fewer only at the end of the trace.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}
