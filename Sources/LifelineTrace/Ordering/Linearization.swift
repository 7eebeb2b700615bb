/// The order that a `LinearizationSearch` found.
struct Linearization {
  /// Indices of the links in order: first those that had to be placed, then those that wait.
  let order: [Int]
  /// Events that do not follow from the previous one.
  let breaks: Int
  /// How many more dead ends the search was allowed; 0 if it gave up.
  let deadEndsLeft: Int
  /// The smallest clock error that may lead to another order; nil if the clocks ruled nothing out.
  let nextError: UInt64?
}
