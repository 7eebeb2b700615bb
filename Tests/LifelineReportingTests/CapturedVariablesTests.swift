import LifelineSymbolication
import Testing

@testable import LifelineAnalysis
@testable import LifelineReporting

@Suite struct CapturedVariablesTests {
  private func variables(
    _ captures: [(String, String)], _ className: String = "App.Node", isOnce: Bool = false
  ) -> CapturedVariables {
    CapturedVariables(
      captures.map { FunctionParameter(name: $0.0, type: $0.1) }, holding: className, isOnce: isOnce,
      superclasses: ["App.Node": "App.Base"])
  }

  private static let node = "$s3App4NodeCD", maybe = "$s3App4NodeCSgD", base = "$s3App4BaseCD"

  @Test(
    "The only variable of the class, or of a superclass, is the one",
    arguments: [
      [("self", node)], [("next", maybe)], [("other", base)], [("self", node), ("count", "$sSiD"), ("text", "$sSSD")],
      [("self", node), ("bus", "$s3App3BusCD")], [("self", node), ("all", "$sSay3App4NodeCGD")],
      [("self", node), ("observer", "$s3App4NodeCSgXwD")], [("self", node), ("body", "$sIeg_D")],
      [("self", node), ("date", "$s10Foundation4DateVD"), ("step", "$sSiSgD")],
    ])
  func only(_ captures: [(String, String)]) {
    #expect(variables(captures).only == captures[0].0)
    #expect(variables(captures).either == captures[0].0)
  }

  @Test("A generic class is known by its name without arguments")
  func generic() {
    #expect(variables([("promise", "$s3App7PromiseCyxGD")], "App.Promise<Swift.Int>").only == "promise")
    #expect(variables([("entry", "$s3App5StoreV5EntryCySi_GD")], "App.Store.Entry<Swift.Int>").only == "entry")
    #expect(variables([("cursor", "$sSa3AppE6CursorCySi_GD")], "App.Array.Cursor<Swift.Int>").only == "cursor")
    #expect(variables([("cursor", "$sSa3AppE6CursorCySi_GD")], "App.Set.Cursor<Swift.Int>").only == nil)
  }

  @Test("Of several that may hold the object, none is the one")
  func several() {
    let two = variables([("self", Self.node), ("other", Self.maybe)])
    #expect(two.only == nil && two.either == "self or other (or both)")
    let many = variables(["a", "b", "c", "d"].map { ($0, Self.node) })
    #expect(many.only == nil && many.either == nil)
  }

  @Test("Beside a struct or an existential, one is certain only if the closure holds one reference")
  func beside() {
    let captures = [("self", Self.node), ("state", "$s3App5StateVD"), ("source", "$s3App6SourceP_pD")]
    #expect(variables(captures).only == nil && variables(captures).either == nil)
    #expect(variables(captures, isOnce: true).only == "self")
    #expect(variables([("other", Self.maybe), captures[1]], isOnce: true).only == nil)
    #expect(variables([("other", Self.base), captures[1]], isOnce: true).only == nil)
    #expect(variables([("self", Self.node), ("other", Self.node)], isOnce: true).only == nil)
  }

  @Test("Of several, the one at the reference's place in the context is meant, if each of them has a reference")
  func place() {
    func variable(_ captures: [(String, String)], _ index: Int, of count: Int) -> String? {
      CapturedVariables(
        captures.map { FunctionParameter(name: $0.0, type: $0.1) }, holding: "App.Node", isOnce: false,
        at: LeakCut.Captured(index: index, count: count), superclasses: [:]
      ).only
    }
    let two = [("self", Self.node), ("count", "$sSiD"), ("other", Self.maybe)]
    #expect(variable(two, 0, of: 2) == "self")
    #expect(variable(two, 1, of: 2) == "other")
    #expect(variable(two, 0, of: 1) == nil)
    #expect(variable(two + [("body", "$sIeg_D"), ("observer", "$s3App4NodeCSgXwD")], 1, of: 2) == "other")
    #expect(variable([("bus", "$s3App3BusCD")] + two, 1, of: 3) == "self")
    #expect(variable(two + [("state", "$s3App5StateVD")], 1, of: 2) == nil)
    #expect(variable([("state", "$s3App5StateVD")] + two, 1, of: 3) == nil)
  }

  @Test(
    "What cannot be captured weakly is named only as what contains the object",
    arguments: [("$s3App5StateVD", "state"), ("$s3App5StateVyAA4NodeCGD", "state"), ("", nil)])
  func value(_ type: String, _ container: String?) {
    #expect(variables([("state", type)]).container == container)
    #expect(variables([("state", type), ("other", type)]).container == nil)
    #expect(variables([("state", type)]).only == nil && variables([("state", type)]).either == nil)
    #expect(variables([]).either == nil)
  }

  @Test("Where a closure was optimized for a class, a variable of it may be of any type in the source, but not self")
  func specialized() {
    func variables(_ name: String, _ types: String) -> CapturedVariables {
      CapturedVariables(
        [FunctionParameter(name: name, type: Self.node)],
        of: "generic specialization <\(types)> of closure #1 () -> () in App.connect<A where A: App.Source>(A) -> ()",
        holding: "App.Node", isOnce: true, superclasses: [:])
    }
    #expect(variables("source", "App.Node").only == nil && variables("source", "App.Node").container == "source")
    #expect(variables("source", "(Swift.Int) -> App.Bus<A, B>, App.Node").only == nil)
    #expect(variables("source", "App.Bus<App.Node>").only == "source")
    #expect(variables("self", "App.Node").only == "self")
  }
}
