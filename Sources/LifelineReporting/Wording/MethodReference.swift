/// A method that is used as a function value, such as `button.action = play`: the compiler makes two closures of it,
/// one in the other, of which the inner one captures the object.
struct MethodReference {
  /// The function that contains the reference.
  let function: String

  /// Nil if the function with this demangled name is not a method reference's.
  init?(_ name: String?) {
    guard let match = name?.wholeMatch(of: /implicit closure #\d+ in implicit closure #\d+ in (.+)/) else { return nil }
    function = String(match.1)
  }
}
