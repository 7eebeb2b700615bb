/// The type that the symbol of a property's metadata names if it cannot be copied:
/// "get_type_metadata 15Synchronization5MutexVySiG noncopyable.1" (GenReflection.cpp of the compiler).
public enum UncopiedType {
  /// "Synchronization.Mutex<App.Registry.State>"; nil for other symbols. What distinguishes private types is left out,
  /// as from the names in metadata.
  public static func name(ofSymbol symbol: String) -> String? {
    let start = "get_type_metadata ", end = " noncopyable"
    guard symbol.hasPrefix(start), let range = symbol.ranges(of: end).last else { return nil }
    let mangled = "$s\(symbol[..<range.lowerBound].dropFirst(start.count))D"
    let name = Demangler.demangle(mangled)
    guard name != mangled else { return nil }
    return name.replacing(/\((\w+) in _[0-9A-F]+\)/) { $0.1 }
  }
}
