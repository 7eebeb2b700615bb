import CZstd
import SystemPackage

/// Text for a file, compressed by zstd.
final class CompressedSink {
  private let file: FileDescriptor
  private let context: OpaquePointer
  private var output = [UInt8](repeating: 0, count: 1 << 17)
  private var waiting: [UInt8] = []
  private static let capacity = 1 << 18

  init(_ file: FileDescriptor) {
    self.file = file
    context = ZSTD_createCCtx()
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 6)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit { ZSTD_freeCCtx(context) }

  /// - Throws: `Errno` if writing fails.
  func write(_ text: String) throws {
    waiting.append(contentsOf: text.utf8)
    if waiting.count >= Self.capacity { try compress(ZSTD_e_continue) }
  }

  /// Must be called at the end.
  ///
  /// - Throws: `Errno` if writing fails.
  func finish() throws { try compress(ZSTD_e_end) }

  private func compress(_ directive: ZSTD_EndDirective) throws {
    var position = 0
    var isDone = false
    while !isDone {
      var written = 0
      let left = waiting.withUnsafeBytes { source in
        output.withUnsafeMutableBytes { target in
          var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
          var result = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
          let left = ZSTD_compressStream2(context, &result, &input, directive)
          (position, written) = (input.pos, result.pos)
          return left
        }
      }
      guard ZSTD_isError(left) == 0 else { throw Errno.ioError }
      _ = try file.writeAll(output[..<written])
      isDone = directive == ZSTD_e_end ? left == 0 : position == waiting.count
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
