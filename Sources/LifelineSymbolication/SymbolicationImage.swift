/// An image as it was in the recorded process: what is needed to look addresses up in its file.
public struct SymbolicationImage: Sendable {
  public let path: String
  /// What is added to the file's virtual addresses.
  public let loadBias: UInt64
  public let addresses: Range<UInt64>
  /// As recorded; empty when the image had none.
  public let buildID: [UInt8]
  public let isSystem: Bool
  /// The last component of the path.
  public let name: String

  public init(path: String, loadBias: UInt64, addresses: Range<UInt64>, buildID: [UInt8], isSystem: Bool) {
    self.path = path
    self.loadBias = loadBias
    self.addresses = addresses
    self.buildID = buildID
    self.isSystem = isSystem
    name = path.split(separator: "/").last.map(String.init) ?? path
  }
}
