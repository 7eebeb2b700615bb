import Glibc

@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>?, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// Turns linker names into the names that developers use.
public struct Demangler {
  /// Longer names come from hostile files: they are shown as they are.
  private static let limit = 4096
  private var short: [String: String] = [:]

  private typealias CXXDemangle =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt>?, UnsafeMutablePointer<Int32>?
    ) -> UnsafeMutablePointer<CChar>?

  /// Of the C++ runtime: libswiftCore loads it, but does not offer it to the linker.
  private static let cxxDemangle = dlsym(nil, "__cxa_demangle").map { unsafeBitCast($0, to: CXXDemangle.self) }

  public init() {}

  /// The full demangled name of Swift or C++, or the name itself when it is not mangled.
  public static func demangle(_ name: String) -> String {
    demangled(name) { text, _ in String(cString: text) } ?? name
  }

  /// The name as a developer says it: no module, no types, no discriminators.
  public mutating func shortName(_ name: String) -> String {
    if let known = short[name] { return known }
    if let variable = Self.variable(ofObject: name), case let text = shortName(variable + "Sivp"), text.first != "$" {
      short[name] = text.contains(".") ? "static " + text : text
      return short[name]!
    }
    let result =
      Self.demangled(name) { text, isSwift in
        isSwift
          ? ShortName.shorten(
            UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text)))
          : String(cString: text)
      } ?? Self.plainName(name)
    short[name] = result
    return result
  }

  /// An object that the optimizer made part of the image is an "outlined variable" of the variable's initialization:
  /// the variable's name, without its type.
  private static func variable(ofObject name: String) -> String? {
    name.firstMatch(of: /^(\$s.+)_WZTv\d*_$/).map { String($0.1) }
  }

  /// "__libc_start_main@GLIBC_2.2.5" → "__libc_start_main". An asynchronous main function, or a part of it behind an
  /// await, "async_MainTY2_", is "main".
  private static func plainName(_ name: String) -> String {
    if name == "async_Main" || name.hasPrefix("async_MainT") { return "main" }
    guard let at = name.firstIndex(of: "@"), at != name.startIndex else { return name }
    return String(name[..<at])
  }

  private static func demangled(_ name: String, _ use: (_ text: UnsafePointer<CChar>, _ isSwift: Bool) -> String)
    -> String?
  {
    let isSwift = name.hasPrefix("$s") || name.hasPrefix("$S") || name.hasPrefix("_$s") || name.hasPrefix("$e")
    guard isSwift || name.hasPrefix("_Z"), name.utf8.count <= limit else { return nil }
    let text = name.withCString {
      isSwift ? swiftDemangle($0, UInt(strlen($0)), nil, nil, 0) : cxxDemangle?($0, nil, nil, nil)
    }
    guard let text else { return nil }
    defer { free(text) }
    return use(text, isSwift)
  }
}
