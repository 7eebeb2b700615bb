/// One mapping of a process: its addresses, what backs it, and its copied part.
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

  /// Memory that was made unreadable, perhaps after it was written to, or that was only ever reserved.
  public var isHidden: Bool { !isReadable && isAnonymous }

  /// Whether it has no file, so that untouched pages are zero.
  public var isAnonymous: Bool { inode == 0 && !isShared }
}
