import Glibc

@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>?, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// Turns linker names into the names that developers use.
public struct Demangler {
  /// Longer names come from hostile files or from nobody's source: they are shown as they are.
  private static let limit = 4096
  private var short: [String: String] = [:]

  public init() {}

  /// The full demangled name, or the name itself when it is not mangled.
  public static func demangle(_ name: String) -> String {
    let isSwift = name.hasPrefix("$s") || name.hasPrefix("$S") || name.hasPrefix("_$s") || name.hasPrefix("$e")
    guard isSwift, name.utf8.count <= limit else { return name }
    guard let text = name.withCString({ swiftDemangle($0, UInt(name.utf8.count), nil, nil, 0) }) else { return name }
    defer { free(text) }
    return String(cString: text)
  }

  /// The name as a developer says it: no module, no types, no discriminators.
  public mutating func shortName(_ name: String) -> String {
    if let known = short[name] { return known }
    let full = Self.demangle(name)
    let result = full == name ? name : ShortName(full).text
    short[name] = result
    return result
  }
}
