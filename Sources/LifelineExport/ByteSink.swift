import SystemPackage

/// Buffers bytes for a file or a pipe.
public final class ByteSink {
  private let file: FileDescriptor
  private var buffer: [UInt8] = []
  private static let capacity = 1 << 18

  public init(_ file: FileDescriptor) {
    self.file = file
    buffer.reserveCapacity(Self.capacity + 4096)
  }

  /// - Throws: `Errno` if writing fails.
  public func write(_ text: String) throws { try write(text.utf8) }

  public func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Must be called at the end.
  ///
  /// - Throws: `Errno` if writing fails.
  public func flush() throws {
    if !buffer.isEmpty { _ = try file.writeAll(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }
}
