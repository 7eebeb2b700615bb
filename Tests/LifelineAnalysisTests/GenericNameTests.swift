import Testing

@testable import LifelineAnalysis

/// Names of generic types as they appear in classes and functions.
@Suite struct GenericNameTests {
  @Test(
    "Type arguments are removed from a type's name wherever they occur",
    arguments: [
      ("Store<_>", "Store"), ("Store<(Swift.Int, Swift.String)>.Row", "Store.Row"), ("Store", "Store"),
      ("Box<Array<Box<Swift.Int>>>", "Box"), ("Box<() -> Swift.Int>.Row", "Box.Row"), ("a > b", "a > b"),
      ("App.`<b>`", "App.`<b>`"), ("Box<App.`a>b`>.Row", "Box.Row"), ("App.`a<b`<Swift.Int>.Row", "App.`a<b`.Row"),
    ])
  func base(_ name: String, _ base: String) { #expect(name.withoutTypeArguments == base) }
}
