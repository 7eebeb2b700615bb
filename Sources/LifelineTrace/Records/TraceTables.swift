/// All facts in a trace about the whole process.
public struct TraceTables: Sendable {
  public internal(set) var programPath = ""
  public internal(set) var arguments: [String] = []
  public internal(set) var images: [Image] = []
  public internal(set) var classes: [Int: ClassRecord] = [:]
  /// If the recording began in a running process: the classes of older objects, by address. They are the first ones
  /// known there.
  public internal(set) var olderObjects: [UInt64: Int] = [:]
  public internal(set) var threads: [Int: ThreadRecord] = [:]
  public internal(set) var strings: [Int: String] = [:]
  public internal(set) var detours: [Detour] = []
  public internal(set) var notices: [String] = []
  public internal(set) var options: [String: String] = [:]
  public internal(set) var runtimePath = ""
  /// The moments from which fewer objects were recorded, in order.
  public internal(set) var sampleChanges: [SampleChange] = []
  /// Where the runtime is whose entry points were detoured; nil if none was found.
  public internal(set) var runtime: RuntimePlace?

  /// LIFELINE_METHOD_* (lifeline_record.h).
  public enum RuntimePlace: UInt32, Sendable {
    /// In libswiftCore.so.
    case shared = 1
    /// In the program itself.
    case `static` = 2
  }

  /// An entry point of the runtime and the state of its detour.
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

  /// The image that contained an address at a moment of the event clock (nil: the last one that did).
  ///
  /// An image is noticed some time after it was loaded, when code in it is first encountered or another one is
  /// unloaded; its end is exact. So of several at one address it is the first that had not ended.
  public func image(at address: UInt64, clock: UInt64? = nil) -> Image? {
    guard let clock else { return images.last { $0.addresses.contains(address) } }
    return images.first { $0.addresses.contains(address) && clock <= $0.unloaded ?? .max }
  }
}
