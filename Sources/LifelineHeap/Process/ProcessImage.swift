/// A file with code that a process has mapped.
public struct ProcessImage: Sendable {
  public let path: String
  /// The offset added to the file's virtual addresses.
  public let loadBias: UInt64
  public let addresses: Range<UInt64>
  public let isSystem: Bool

  /// The images of a running process, ascending; empty without permission.
  public static func images(of process: Int) -> [ProcessImage] { images(in: ProcessMaps.regions(of: process)) }

  /// The images in a process's mappings, ascending.
  public static func images(in regions: [MemoryRegion]) -> [ProcessImage] {
    ImageMap(regions, systemFolders: HeapMemory.systemFolders).images.map {
      ProcessImage(path: $0.path, loadBias: $0.base, addresses: $0.addresses, isSystem: !$0.isOwn)
    }
  }
}
