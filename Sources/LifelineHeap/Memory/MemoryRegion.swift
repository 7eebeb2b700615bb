/// One mapping of a process: its addresses, what backs it, and what was copied of it.
public struct MemoryRegion: Sendable {
  public let addresses: Range<UInt64>
  public let isReadable: Bool
  public let isWritable: Bool
  public let isExecutable: Bool
  public let isShared: Bool
  /// The file, or a name in brackets, or "".
  public let path: String
  public let fileOffset: UInt64
  public let inode: UInt64

  public init(
    addresses: Range<UInt64>, isReadable: Bool = true, isWritable: Bool = true, isExecutable: Bool = false,
    isShared: Bool = false, path: String = "", fileOffset: UInt64 = 0, inode: UInt64 = 0
  ) {
    self.addresses = addresses
    self.isReadable = isReadable
    self.isWritable = isWritable
    self.isExecutable = isExecutable
    self.isShared = isShared
    self.path = path
    self.fileOffset = fileOffset
    self.inode = inode
  }

  /// Memory that was made unreadable, perhaps after something was written to it; or that never was anything but
  /// reserved.
  public var isHidden: Bool { !isReadable && isAnonymous }

  /// Nobody's file: pages that were never touched are zero.
  public var isAnonymous: Bool { inode == 0 && !isShared }
}
