import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// The identity of a finding across runs, edits, builds and machines.
///
/// It consists only of kind, class and the function where it happened: no lines, addresses or numbers, which any edit
/// changes; not how the object was used, since an optimizer turns the retain before a message into the message; not the
/// releasing function, which optimizers inline into its caller in several programs of the corpus. Two findings of one
/// kind and class in one function are one; and so are all resurrections of a class, whose deinit is that function: what
/// kept the object is recorded only if retains are.
struct Fingerprint {
  /// 16 hexadecimal digits.
  let text: String

  /// `path` is a leak's: the classes and properties that hold its objects, without lines.
  init(kind: String, className: String, backtraces: [Report.Backtrace], path: String = "") {
    let place = Self.places.lazy.compactMap { role in backtraces.first { $0.role == role.rawValue } }.first
    let isPlaced = kind != Finding.Kind.resurrection.rawValue
    let function = isPlaced ? place.flatMap { Self.function($0, className: className) } ?? "" : ""
    self.init([kind, className, function] + (path.isEmpty ? [] : [path]))
  }

  init(_ parts: [String]) {
    text = FNV1a(parts.joined(separator: "\n")).digits
  }

  /// The places where a finding happened, best first.
  private static let places: [Finding.Role] = [.access, .lastOwnerRelease, .allocation, .finalRelease, .deallocation]

  /// The innermost function that the programmer wrote.
  static func function(_ backtrace: Report.Backtrace, className: String) -> String? {
    var own = backtrace.frames.filter(isOwn).map(name)
    if backtrace.role == Finding.Role.allocation.rawValue {
      // Every object is allocated by its initializer, so the caller distinguishes two leaks.
      let others = own.drop { isInitializer($0, of: className) }
      if !others.isEmpty { own = Array(others) }
    }
    return own.first ?? backtrace.responsible.map(name)
  }

  /// Whether the programmer wrote the function.
  static func isOwn(_ frame: Report.Frame) -> Bool {
    !frame.isSystem && !frame.isMadeByCompiler && !isStandardLibrary(frame.mangledName ?? "")
  }

  /// Whether a function's name is that of an initializer of the class.
  static func isInitializer(_ function: String, of className: String) -> Bool {
    function.hasPrefix(ObjectID(className: className, number: 1).shortClassName.prefix { $0 != "<" } + ".init")
  }

  /// A function without a name is shown as an offset, which every build changes, so its image is used instead.
  static func name(_ frame: Report.Frame) -> String {
    frame.mangledName == nil && frame.function.hasPrefix("\(frame.image)+0x") ? frame.image : canonical(frame.function)
  }

  /// Whether a mangled name is in the Swift module: inlined from its sources into the program's image.
  ///
  /// Names in the module are "$ss…" or begin with a standard type, "$sS" and a letter; an extension in another module
  /// has that module's name and an "E" after the type (docs/ABI/Mangling.rst of the Swift project).
  static func isStandardLibrary(_ mangled: String) -> Bool {
    var rest = mangled.utf8[...]
    guard rest.starts(with: "$ss".utf8) || rest.starts(with: "$sS".utf8) else { return false }
    let isType = rest.starts(with: "$sS".utf8)
    rest = rest.dropFirst(isType ? 4 : 3)
    // At most: the type's own name with its kind, then the module that extends it.
    for _ in 0..<2 {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let length = Int(String(decoding: digits, as: UTF8.self)) else { return true }
      rest = rest.dropFirst(digits.count).dropFirst(length)
      if rest.first == UInt8(ascii: "E") { return false }
      if isType { return true }
      rest = rest.dropFirst()
    }
    return true
  }

  /// The name without what an unrelated edit or the optimizer changes: closures are replaced by their function, without
  /// numbers; an allocating initializer by the initializer, a deallocating deinit by the deinit.
  static func canonical(_ function: String) -> String {
    var name = function[...]
    if name.hasPrefix("partial apply for ") { name = name.dropFirst("partial apply for ".count) }
    while name.prefix(while: { $0 != "#" && $0 != "(" }).hasSuffix("closure ") || name.hasPrefix("$defer #"),
      let end = name.firstRange(of: " in ")
    {
      name = name[end.upperBound...]
    }
    var result = ""
    var isNumber = false
    for character in name {
      if character == "#" {
        isNumber = true
      } else if isNumber, character.isNumber {
        continue
      } else {
        isNumber = false
      }
      result.append(character)
    }
    for (long, short) in [
      ("__allocating_init", "init"), ("__isolated_deallocating_deinit", "deinit"), ("__deallocating_deinit", "deinit"),
    ] {
      result = result.replacing(long, with: short)
    }
    // Parts of an asynchronous function without a demangled name: "async_MainTY2_", "…TQ0_".
    if let suffix = result.firstMatch(of: /T[YQ][0-9]*_$/) { result.removeSubrange(suffix.range) }
    return result
  }
}
