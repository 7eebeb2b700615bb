/// Everything in a trace that is true of the whole process.
public struct TraceTables: Sendable {
  public internal(set) var programPath = ""
  public internal(set) var arguments: [String] = []
  public internal(set) var images: [Image] = []
  public internal(set) var classes: [Int: ClassRecord] = [:]
  public internal(set) var threads: [Int: ThreadRecord] = [:]
  public internal(set) var strings: [Int: String] = [:]
  public internal(set) var detours: [Detour] = []
  public internal(set) var notices: [String] = []
  public internal(set) var options: [String: String] = [:]
  public internal(set) var runtimePath = ""
  /// 1 detours in libswiftCore.so, 2 in the program itself, 0 no runtime was found.
  public internal(set) var method = 0

  /// An entry point of the runtime and what became of its detour.
  public struct Detour: Sendable, Equatable {
    public enum Status: UInt32, Sendable {
      case active = 1
      case missing = 2
      case refused = 3
      case failed = 4
    }
    public let entryPoint: String
    public let status: Status
  }

  public init() {}

  public mutating func append(_ image: Image) { images.append(image) }

  /// The image that held an address at a moment of the event clock (nil: the last one that did).
  public func image(at address: UInt64, clock: UInt64? = nil) -> Image? {
    images.last { image in
      guard image.addresses.contains(address) else { return false }
      guard let clock else { return true }
      return image.loaded <= clock && clock <= image.unloaded ?? .max
    }
  }
}
