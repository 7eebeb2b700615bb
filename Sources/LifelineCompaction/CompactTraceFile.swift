import CLifelineFormat
import LifelineTrace
import Synchronization

/// A compact trace, read as if it were the original trace.
///
/// Bytes that cannot be inflated read as 255, which is invalid in a trace, so their reader reports them as damaged.
public final class CompactTraceFile: TraceContents {
  /// An inflated group.
  private struct Inflated {
    let index: Int
    let bytes: UnsafeMutableRawBufferPointer
    var lastUse: UInt64
  }

  /// Streams are read side by side, but chunks are begun in file order, so few groups are in use at a time.
  private static let keptGroups = 4

  public let path: String
  public let size: Int64
  /// Damaged groups found so far.
  public private(set) var damagedGroups: Set<Int> = []

  private let file: TraceFile
  private let directory: CompactDirectory
  private let columns: ColumnBuffer
  private let reader = GroupReader()
  private var inflated: [Inflated] = []
  private var uses: UInt64 = 0
  /// Threads that read the same trace take turns.
  private let turn = Mutex(())

  /// Whether a file identifies itself as a compact trace.
  public static func isCompact(_ file: TraceFile) throws -> Bool {
    var header = lifeline_file_header()
    let count = try withUnsafeMutableBytes(of: &header) { try file.read(into: $0, at: 0) }
    let isTrace = withUnsafeBytes(of: header.magic) { $0.elementsEqual(LIFELINE_MAGIC.utf8) }
    return count == MemoryLayout<lifeline_file_header>.size && isTrace && header.version & LIFELINE_VERSION_COMPACT != 0
  }

  /// - Throws: `TraceError` if the file is not a complete compact trace.
  public init(_ file: TraceFile) throws {
    self.file = file
    path = file.path
    directory = try CompactDirectory(file)
    size = directory.layout.size
    // A column has eight bytes even for a last chunk that was cut off in its header.
    columns = ColumnBuffer(capacity: directory.layout.largestGroup + Int(LIFELINE_CHUNK_HEADER_SIZE))
  }

  deinit {
    columns.deallocate()
    for group in inflated { group.bytes.deallocate() }
  }

  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try turn.withLock { _ in try readPieces(into: buffer, at: offset) }
  }

  private func readPieces(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let end = min(offset + Int64(buffer.count), size)
    var position = offset
    while position < end {
      let out = UnsafeMutableRawBufferPointer(rebasing: buffer[Int(position - offset)..<Int(end - offset)])
      position += Int64(try readPiece(into: out, at: position))
    }
    return Int(max(position - offset, 0))
  }

  /// Reads from the file header, one chunk header or one group; returns the number of bytes, at least one.
  private func readPiece(into out: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let headerSize = Int64(LIFELINE_HEADER_SIZE)
    if offset < headerSize { return directory.copyFileHeader(from: Int(offset), into: out) }
    let (chunk, place) = (offset - headerSize).quotientAndRemainder(dividingBy: Int64(directory.layout.chunkSize))
    // Opening a trace reads only the headers, for which no group need be inflated.
    if Int(place) + out.count <= Int(LIFELINE_CHUNK_HEADER_SIZE) {
      return directory.copyHeader(ofChunk: Int(chunk), from: Int(place), into: out)
    }
    let index = Int((offset - headerSize) / Int64(directory.layout.groupSize))
    let range = directory.layout.range(ofGroup: index)
    let bytes = try group(index)
    let count = min(out.count, Int(range.upperBound - offset))
    let start = Int(offset - range.lowerBound)
    out.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    return count
  }

  /// The bytes of a group, inflated if necessary.
  private func group(_ index: Int) throws -> UnsafeMutableRawBufferPointer {
    uses += 1
    if let known = inflated.firstIndex(where: { $0.index == index }) {
      inflated[known].lastUse = uses
      return inflated[known].bytes
    }
    var bytes: UnsafeMutableRawBufferPointer
    if inflated.count < Self.keptGroups {
      bytes = .allocate(byteCount: directory.layout.largestGroup, alignment: 64)
    } else {
      let oldest = inflated.indices.min { inflated[$0].lastUse < inflated[$1].lastUse }!
      bytes = inflated.remove(at: oldest).bytes
    }
    // Once it is in the list, it is deallocated whatever happens.
    inflated.append(Inflated(index: index, bytes: bytes, lastUse: uses))
    let range = directory.layout.range(ofGroup: index)
    bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<Int(range.upperBound - range.lowerBound)])
    if try !inflate(index, into: bytes) {
      damagedGroups.insert(index)
      bytes.initializeMemory(as: UInt8.self, repeating: 255)
    }
    return bytes
  }

  private func inflate(_ index: Int, into bytes: UnsafeMutableRawBufferPointer) throws -> Bool {
    let group = directory.group(index)
    let stored = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(group.length), alignment: 64)
    defer { stored.deallocate() }
    guard try file.read(into: stored, at: Int64(group.offset)) == stored.count,
      lifeline_sum(stored.baseAddress, UInt64(stored.count)) == group.checksum,
      reader.inflate(UnsafeRawBufferPointer(stored), into: columns)
    else { return false }
    return GroupJoiner(layout: directory.layout, columns: columns).join(group: index, into: bytes) { [directory] in
      _ = directory.copyHeader(ofChunk: $0, into: $1)
    }
  }
}
