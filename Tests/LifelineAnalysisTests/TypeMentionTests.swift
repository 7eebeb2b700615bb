import Testing

@testable import LifelineAnalysis

/// Class names in the types of variables.
struct TypeMentionTests {
  private let types = TypeMentions {
    [
      "Swift.Array<App.TokenRing>", "Swift.Dictionary<Swift.String, App.Session.Part>", "App.Box<Swift.Int>.Node",
      "(App.Pane, Swift.Int)", "App.Étude", "Hidden #1 in App.run() -> ()",
    ]
  }

  @Test(
    "A type mentions a name only if it contains the name as a whole word",
    arguments: [
      ("App.TokenRing", true), ("App.Token", false), ("App.Session.Part", true), ("App.Session", true),
      ("Session.Part", true), ("App.Part", false), ("App.Box<Swift.Int>", true), ("App.Box<Swift.Int>.Node", true),
      ("App.Box<Swift.String>", false), ("App.Pane", true), ("App.Étude", true), ("App.É", false), ("App.Other", false),
      ("Hidden #1 in App.run() -> ()", true), ("Int", true), ("In", false), ("Pane", true),
    ])
  func mentions(name: String, isMentioned: Bool) {
    #expect(types.contain([name]) == isMentioned)
    #expect(types.contain([name, "App.Missing"]) == isMentioned)
  }

  @Test("A single type is searched the same way")
  func one() {
    #expect(TypeMentions.isMentioned(["App.Token"], in: "<App.Token>"))
    #expect(!TypeMentions.isMentioned(["App.Token"], in: "<App.TokenRing>"))
    #expect(!TypeMentions.isMentioned([""], in: "<App.Token>"))
  }

  @Test("An empty list of types mentions nothing")
  func none() { #expect(!TypeMentions { [] }.contain(["App.Token"])) }
}
