import LifelineSymbolication

/// A place in the code, at the granularity of a profile.
public struct CallFrame: Hashable, Sendable {
  public let function: String
  public let mangledName: String?
  public let file: String?
  public let line: Int?
  /// Last component of the image's path; empty if unknown.
  public let image: String
  /// Whether it belongs to the toolchain or the system.
  public let isSystem: Bool

  public init(
    function: String, mangledName: String? = nil, file: String? = nil, line: Int? = nil, image: String = "",
    isSystem: Bool = false
  ) {
    self.function = function
    self.mangledName = mangledName
    self.file = file
    self.line = line
    self.image = image
    self.isSystem = isSystem
  }

  init(_ frame: SymbolicatedFrame) {
    self.init(
      function: frame.function, mangledName: frame.mangledName, file: frame.file, line: frame.line, image: frame.image,
      isSystem: frame.isSystem)
  }

  /// The function, whatever its line.
  public var withoutLine: CallFrame {
    CallFrame(function: function, mangledName: mangledName, file: file, image: image, isSystem: isSystem)
  }

  /// "Master.swift:16"; nil when no line is known.
  public var location: String? {
    guard let file, let line else { return nil }
    return "\(file.split(separator: "/").last ?? ""):\(line)"
  }

  /// Represents callers of a backtrace that were not kept or not found.
  public static let missing = CallFrame(function: "(callers not recorded)", isSystem: true)
  /// Represents an empty backtrace.
  public static let unknown = CallFrame(function: "(no backtrace)", isSystem: true)
}
