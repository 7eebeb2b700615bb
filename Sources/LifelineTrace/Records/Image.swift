/// An ELF file that was mapped into the process.
public struct Image: Sendable, Equatable {
  public let id: Int
  public let path: String
  /// The offset added to the file's virtual addresses.
  public let loadBias: UInt64
  public let addresses: Range<UInt64>
  public let buildID: [UInt8]
  public let isMain: Bool
  /// Whether it belongs to the toolchain or the system rather than the program.
  public let isSystem: Bool
  /// Event clock when it was first seen and when it was unloaded.
  public let loaded: UInt64
  public internal(set) var unloaded: UInt64?

  /// Last component of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  public init(
    id: Int, path: String, loadBias: UInt64, addresses: Range<UInt64>, buildID: [UInt8], isMain: Bool = false,
    isSystem: Bool = false, loaded: UInt64 = 0, unloaded: UInt64? = nil
  ) {
    self.id = id
    self.path = path
    self.loadBias = loadBias
    self.addresses = addresses
    self.buildID = buildID
    self.isMain = isMain
    self.isSystem = isSystem
    self.loaded = loaded
    self.unloaded = unloaded
  }
}
