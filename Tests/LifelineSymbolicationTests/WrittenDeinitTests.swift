import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct WrittenDeinitTests {
  private static let source = """
    nonisolated(unsafe) var closed = 0
    class Plain { var names = ["a"]; lazy var more = names }
    class Base { deinit { print("base") } }
    final class Derived: Base { var next: Plain? }
    final class Box<Element> { var element: Element; init(_ element: Element) { self.element = element } }
    final class Closing<Element> {
      var element: Element
      init(_ element: Element) { self.element = element }
      deinit { print("closing") }
    }
    enum Space { fileprivate final class Inner { deinit { closed += 1 } } }
    fileprivate final class Hidden { var plain = Plain() }
    actor Counter { var count = 0 }
    class Emptied {
      deinit {
        #if COUNTS
        print("emptied")
        #endif
      }
    }
    final class Heir: Emptied { var names = ["b"] }
    print(Emptied(), Heir())
    print(Plain().more, Derived().next == nil, Box(1).element, Closing("x").element, Space.Inner(), Hidden().plain)
    print(Counter())
    """
  private static let classes = [
    "App.Plain", "App.Base", "App.Derived", "App.Box", "App.Closing", "App.Space.Inner", "App.Hidden", "App.Counter",
    "App.Emptied", "App.Heir",
  ]

  @Test(
    "Lines distinguish deinits in the source from those that the compiler generated; an empty one does not count",
    arguments: ["-Onone", "-O"])
  func written(_ level: String) throws {
    let program = try CompiledProgram(Self.source, options: ["-g", level, "-module-name", "App"])
    defer { program.remove() }
    let symbolicator = Symbolicator(images: [try program.image()])
    let written = Self.classes.filter { symbolicator.isDeinitWritten($0) == true }
    #expect(
      written
        == ["App.Base", "App.Derived", "App.Closing", "App.Space.Inner"].filter {
          // The optimizer inlines the superclass's deinit.
          $0 != "App.Derived" || level == "-O"
        })
    #expect(symbolicator.isDeinitWritten("App.Plain") == false)
    #expect(symbolicator.isDeinitWritten("App.Other") == nil)
  }

  private static let ending = """
    protocol Disposable: AnyObject { func dispose() }
    final class Source: Disposable {
      var count = 0
      @inline(never) func dispose() { count += 1 }
    }
    func checked(_ condition: () -> Bool) { if !condition() { fatalError() } }
    final class Bag {
      var held: [Source] = [Source()]
      private func disposeAll() { for source in held { source.dispose() } }
      deinit { disposeAll() }
    }
    final class Owner { let source = Source(); deinit { source.dispose() } }
    final class Cancellable { var cancel: (() -> Void)?; deinit { cancel?() } }
    final class Wrapper {
      var inner: any Disposable
      init(_ inner: any Disposable) { self.inner = inner }
      deinit { inner.dispose() }
    }
    final class Lock { var pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1); deinit { pointer.deallocate() } }
    final class Promise<Value> {
      var value: Value?
      let source: any Disposable
      init(_ source: any Disposable) { self.source = source }
      deinit { checked { source.dispose(); return value == nil } }
    }
    protocol Reader { associatedtype Input; func read() -> Input }
    struct Numbers: Reader { var all = [1]; func read() -> Int { all[0] } }
    class Erased<Input> { init() {}; deinit {} }
    final class Box<Base: Reader>: Erased<Base.Input> {
      let base: Base
      init(_ base: Base) { self.base = base }
      deinit {}
    }
    @inline(never) func use() {
      print(Box(Numbers()), Box(Numbers()).base.read())
      print(Bag(), Owner(), Cancellable(), Wrapper(Source()), Lock(), Promise<String>(Source()), Promise<Int>(Source()))
    }
    use()
    """

  @Test("What a deinit calls shows whether it may end more than its object", arguments: ["-Onone", "-O"])
  func calls(_ level: String) throws {
    let program = try CompiledProgram(Self.ending, options: ["-g", level, "-module-name", "App"])
    defer { program.remove() }
    let symbolicator = Symbolicator(images: [try program.image()])
    func calls(_ name: String) -> DeinitCalls? { symbolicator.callsInDeinit(of: "App.\(name)") }
    #expect(calls("Bag")?.types.contains("Bag") == true)
    #expect(calls("Owner")?.types == ["Source"])
    #expect(calls("Cancellable")?.isIndirect == true && calls("Wrapper")?.isIndirect == true)
    #expect(calls("Lock") == DeinitCalls())
    // Values of a generic type are ended by their type's own function.
    #expect(calls("Box")?.isIndirect != true)
    if level == "-Onone" { #expect(calls("Promise") == DeinitCalls()) }
    #expect(calls("Source") == nil)
  }

  @Test("Without debug information it is unknown whether a deinit is in the source")
  func unknown() throws {
    let program = try CompiledProgram(Self.source, options: ["-Onone", "-module-name", "App"])
    defer { program.remove() }
    let symbolicator = Symbolicator(images: [try program.image()])
    #expect(Self.classes.allSatisfy { symbolicator.isDeinitWritten($0) == nil })
  }
}
