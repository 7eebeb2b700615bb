import Testing

@testable import LifelineAnalysis

/// Names of generic types, as classes of objects have them and as functions do.
@Suite struct GenericNameTests {
  @Test(
    "A type's name loses its arguments, wherever they stand",
    arguments: [
      ("Store<_>", "Store"), ("Store<(Swift.Int, Swift.String)>.Row", "Store.Row"), ("Store", "Store"),
      ("Box<Array<Box<Swift.Int>>>", "Box"), ("Box<() -> Swift.Int>.Row", "Box.Row"), ("a > b", "a > b"),
    ])
  func base(_ name: String, _ base: String) { #expect(name.withoutTypeArguments == base) }
}
