/// Recognizes functions of the toolchain's libraries in a program that they are linked into (`-static-stdlib`).
///
/// Their modules' names begin the mangled ones (swift/docs/ABI/Mangling.rst), and C's functions have prefixes of their
/// own. What is specialized for the program's types stays the program's, as in other programs.
enum LinkedLibraries {
  private static let modules = [
    "10Foundation", "20FoundationEssentials", "30FoundationInternationalization", "20FoundationNetworking",
    "13FoundationXML", "22_FoundationCollections", "8Dispatch", "11Observation", "15Synchronization", "11Distributed",
    "17_StringProcessing", "12_RegexParser", "12RegexBuilder",
  ].map { "$s\($0)" }

  private static let prefixes = [
    "swift_", "_swift_", "_ZN5swift", "_ZNK5swift", "_ZL23completeTask", "dispatch_", "_dispatch_", "_Block_", "CF",
    "_CF", "__CF",
  ]

  static func contain(_ mangled: String) -> Bool {
    mangled.hasPrefix("$s") ? modules.contains(where: mangled.hasPrefix) : prefixes.contains(where: mangled.hasPrefix)
  }
}
