import Testing

@testable import LifelineSymbolication

@Suite struct ShortNameTests {
  @Test(
    "A demangled name is shortened to what a developer would say",
    arguments: [
      (
        "App.FetchedResultsController.contextChanged(Foundation.Notification) -> ()",
        "FetchedResultsController.contextChanged(_:)"
      ),
      ("App.Store.init(delegate: App.Delegate, count: Swift.Int) -> App.Store", "Store.init(delegate:count:)"),
      (
        "App.Store.init(_: Swift.Int, b: Swift.String..., c: (Swift.Int, x: Swift.Int)) -> App.Store",
        "Store.init(_:b:c:)"
      ),
      (
        "closure #1 (Foundation.Notification) -> () in App.Store.init(delegate: App.Delegate) -> App.Store",
        "closure #1 in Store.init(delegate:)"
      ),
      (
        "closure #2 @Sendable () async throws -> () in closure #1 () -> () in App.run() -> ()",
        "closure #2 in closure #1 in run()"
      ),
      ("closure #1 (Swift.Int) -> () in App", "closure #1 in App"),
      (
        """
        implicit closure #1 (Swift.Int, Swift.Int) -> Swift.Int in (extension in App):Swift.Array<A where A == \
        Swift.Int>.total() -> Swift.Int
        """,
        "implicit closure #1 in Array.total()"
      ),
      ("App.Store.value.getter : Swift.Int", "Store.value.getter"),
      ("App.`adds (two)\u{A0}<b>`(Swift.Int) -> ()", "`adds (two)\u{A0}<b>`(_:)"),
      ("App.`<x>(1)`.__allocating_init() -> App.`<x>(1)`", "`<x>(1)`.__allocating_init()"),
      ("closure #1 () -> () in App.Tests.`a: (b`() -> ()", "closure #1 in Tests.`a: (b`()"),
      ("App.`never ends(", "`never ends()"),
      ("App.Master.(frc in _7F2EF2DB17428177D06A2E945DB8BF36).setter : Swift.Int?", "Master.frc.setter"),
      ("App.Master.subscript.getter : (_: Swift.Int, b: Swift.Int) -> Swift.Int", "Master.subscript.getter"),
      ("App.Master.z.modify : Swift.Int with unmangled suffix \".resume.0\"", "Master.z.modify"),
      ("App.Store.deinit", "Store.deinit"),
      ("App.Store.__deallocating_deinit", "Store.__deallocating_deinit"),
      ("static App.Store.make<A where A: Swift.Hashable>(A) -> App.Store", "static Store.make(_:)"),
      ("static App.Pt...< infix(App.Pt, App.Pt) -> Swift.Int", "static Pt...<(_:_:)"),
      (
        """
        static (extension in SwiftSyntax):SwiftSyntax.SyntaxCollection.+ infix<A where A1: Swift.Sequence>(A1, A) -> A
        """,
        "static SyntaxCollection.+(_:_:)"
      ),
      ("App.√√ prefix(Swift.Int) -> Swift.Int", "√√(_:)"),
      ("(extension in Foundation):Swift.String.contains(Swift.String) -> Swift.Bool", "String.contains(_:)"),
      ("App.(Hidden in _0123456789ABCDEF0123456789ABCDEF).run() -> ()", "Hidden.run()"),
      ("App.Master.(hidden in _7F2EF2DB17428177D06A2E945DB8BF36)(in: Swift.Int) -> ()", "Master.hidden(in:)"),
      ("helper #1 (x: Swift.Int) -> Swift.Int in App.foo(Swift.Int) -> Swift.Int", "helper #1(x:) in foo(_:)"),
      (
        "run(times: Swift.Int) -> Swift.Int in Local #1 in App.foo(Swift.Int) -> Swift.Int",
        "run(times:) in Local #1 in foo(_:)"
      ),
      ("v.getter : Swift.Int in Local #1 in App.foo(Swift.Int) -> Swift.Int", "v.getter in Local #1 in foo(_:)"),
      (
        "init() -> LC #1 in App.foo(Swift.Int) -> Swift.Int in LC #1 in App.foo(Swift.Int) -> Swift.Int",
        "init() in LC #1 in foo(_:)"
      ),
      ("generic specialization <Swift.Int> of Swift.Array.append(__owned A) -> ()", "Array.append(_:)"),
      (
        """
        merged function signature specialization <Arg[0] = [Closure Propagated : closure #1 () -> ()]> of generic \
        specialization <App.A> of App.run<A>(with: () -> ()) -> ()
        """,
        "merged run(with:)"
      ),
      (
        """
        (2) await resume partial function for App.Master.go<A where A: Swift.Collection>(_: A, with: \
        (Swift.Int) throws -> ()) async throws -> Swift.Int?
        """,
        "Master.go(_:with:)"
      ),
      (
        "@objc closure #1 (Swift.Optional<Swift.UnsafeRawPointer>) -> Swift.Int32 in App.sort(by: App.Order) -> ()",
        "closure #1 in sort(by:)"
      ),
      (
        "partial apply forwarder for closure #1 (A) -> Swift.Int in App.run() -> ()",
        "partial apply for closure #1 in run()"
      ),
      (
        """
        reabstraction thunk helper from @escaping @callee_guaranteed () -> () to @escaping \
        @callee_guaranteed () -> (@out ())
        """,
        "reabstraction thunk"
      ),
      (
        """
        protocol witness for static Swift.Comparable.< infix(A, A) -> Swift.Bool in conformance App.Pt : \
        Swift.Comparable in App
        """,
        "protocol witness for static Comparable.<(_:_:) in conformance Pt"
      ),
      (
        "vtable thunk for App.Base.run(text: Swift.Int) -> () dispatching to App.Leaf.run(text: Swift.Int) -> ()",
        "vtable thunk for Base.run(text:) dispatching to Leaf.run(text:)"
      ),
      (
        "variable initialization expression of App.Master.(frc in _7F2EF2DB17428177D06A2E945DB8BF36) : Swift.Int?",
        "variable initialization expression of Master.frc"
      ),
      ("default argument 0 of App.Pt.init(x: Swift.Int) -> App.Pt", "default argument 0 of Pt.init(x:)"),
      ("type metadata accessor for App.Store", "type metadata accessor for Store"),
      ("outlined init with copy of Markdown.Image?", "outlined init with copy of Image?"),
      ("outlined destroy of (App.A, App.B?)", "outlined destroy of (…)"),
      (
        """
        function signature specialization <Arg[1] = [Closure Propagated : $s3AppU_, Argument Types : \
        []> of App.run() -> ()
        """,
        "run()"
      ),
      (
        "protocol witness for App.P.make() -> A in conformance <A where A: App.P> [A] : App.P in App",
        "protocol witness for P.make() in conformance [A]"
      ),
      (
        "lazy protocol witness table accessor for type [App.A] and conformance <A> [A] : Swift.Sequence in Swift",
        "lazy protocol witness table accessor for type [A]"
      ),
    ])
  func names(_ full: String, _ short: String) {
    #expect(ShortName(full).text == short)
  }

  @Test(
    "Truncated or meaningless text still has a short name",
    arguments: [
      "closure #1 (", "App.", "App..", "(", "<", "((((", " in  in ", "merged ", "generic specialization <",
      "App.(x in _", ".", " -> ", "a : ",
    ])
  func senseless(_ text: String) {
    #expect(!ShortName(text).text.isEmpty)
  }

  @Test(
    "Swift and C++ names are demangled, and other names stay as they are",
    arguments: [
      ("_ZN5swift10RefCountedD2Ev", "swift::RefCounted::~RefCounted()"), ("main", "main"), ("_Z", "_Z"), ("$s", "$s"),
      ("$s3App5StoreC5valueSivg", "Store.value.getter"), ("async_Main", "main"), ("async_MainTY5_", "main"),
      ("async_MainTQ1_", "main"), ("async_Mainly", "async_Mainly"),
    ])
  func otherLanguages(_ mangled: String, _ short: String) {
    var demangler = Demangler()
    #expect(demangler.shortName(mangled) == short)
  }

  @Test(
    "An object that is part of the image is named by the variable that refers to it",
    arguments: [
      ("$s3App5StoreC6shared_WZTv_", "static Store.shared"), ("$s3App5StoreC6shared_WZTv0_", "static Store.shared"),
      ("$s3App5cache_WZTv_", "cache"), ("$s9_WZTv_", "$s9_WZTv_"),
    ])
  func objectOfImage(_ mangled: String, _ short: String) {
    var demangler = Demangler()
    #expect(demangler.shortName(mangled) == short)
  }

  @Test("A name longer than any in real source is not demangled")
  func longName() {
    let name = "$s" + String(repeating: "Say", count: 3000)
    #expect(Demangler.demangle(name) == name)
  }
}
