/// A demangled Swift name reduced to what a developer says: "closure #1 in FetchedResultsController.init(delegate:)".
///
/// Modules, types, generic arguments, specializations and discriminators go; what kind of function it is stays. The
/// grammar is that of the demangler's node printer, which has no written form: names it has not met come out longer,
/// never empty.
struct ShortName {
  let text: String

  init(_ demangled: String) {
    var copy = demangled
    text = copy.withUTF8 { Self.shorten($0) }
  }

  /// Reduces demangled UTF-8. O(n).
  static func shorten(_ name: UnsafeBufferPointer<UInt8>) -> String {
    var reader = Reader(name: name)
    reader.read()
    return reader.result.isEmpty
      ? String(decoding: name, as: UTF8.self) : String(decoding: reader.result, as: UTF8.self)
  }
}
