import Foundation
import LifelineTestSupport
import Testing

/// The names of classes in a recording and in the heap that is examined at the end.
@Suite(.startsPrograms) struct ClassNameTests {
  private static let source = """
    import Glibc
    protocol P {}
    protocol Q: AnyObject {}
    class Base {}
    extension String { final class Holder {} }
    extension Array where Element == Int { final class Ints {} }
    extension Optional where Wrapped == Int { final class Some {} }
    extension String.Index { final class Place {} }
    extension Task where Success == Never, Failure == Never { final class Handle {} }
    extension Space where T == Int { final class Only {} }
    extension timeval { final class Clock {} }
    enum Space<T> { final class In<U> { var t: T?; var u: U? } }
    final class G<T> { var t: T? }
    private final class Hidden {}
    final class Pack<each T> {}
    #if compiler(>=6.2)
    final class Sized<let n: Int> {}
    #endif
    var kept: [AnyObject] = []
    func local() { final class Local {}; kept.append(Local()) }
    func g<T>(_ type: T.Type) { kept.append(G<T>()) }
    func fill() {
      kept += [Base(), String.Holder(), Array<Int>.Ints(), Int?.Some(), String.Index.Place()] as [AnyObject]
      kept += [Task<Never, Never>.Handle(), Space<Int>.Only(), timeval.Clock()] as [AnyObject]
      kept += [Space<Int>.In<String>(), Hidden(), Pack<Int, String>()] as [AnyObject]
      #if compiler(>=6.2)
      kept += [Sized<7>()] as [AnyObject]
      g(InlineArray<3, Int>.self)
      #endif
      local()
      g((Int, String).self); g(((Int) -> Void).self); g(Any.self); g(AnyObject.self); g((any P).self)
      g((any P & Q).self); g((any Error).self); g(Int.Type.self); g((any P).Type.self); g(Int?.self)
      g([Int: [String]].self); g((Base & P).self); g(G<G<G<G<G<G<(Int, Int)>>>>>>.self)
    }
    fill()
    print("end")

    """

  @Test("A class has one name, whatever it is nested in and whatever its arguments are", .timeLimit(.minutes(60)))
  func oneName() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      func lifeline(_ arguments: String...) throws -> CommandResult {
        try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder)
      }
      try #expect(lifeline("record", "-q", "-o", "t", program.path).output == "end\n")
      struct List: Decodable {
        struct Object: Decodable { let `class`: String }
        let objects: [Object]
      }
      let list = try JSONDecoder().decode(
        List.self, from: Data(lifeline("objects", "t", "--live", "--format", "json").output.utf8))
      let names = Set(list.objects.map(\.class))
      let module = try #require(names.first { $0.hasSuffix(".Base") }).dropLast(".Base".count)
      let short = Set(names.map { $0.replacingOccurrences(of: "\(module).", with: "") })
      #expect(
        short.isSuperset(of: [
          "Base", "String.Holder", "Array.Ints", "Optional.Some", "String.Index.Place", "Task.Handle",
          "Space.Only", "timeval.Clock", "Space.In<Swift.Int, Swift.String>", "Hidden", "Pack<_>", "Local",
          "G<Any>", "G<Swift.AnyObject>", "G<any P>", "G<any P & Q>", "G<any Swift.Error>",
          "G<Swift.Optional<Swift.Int>>", "G<any Base & P>",
        ]), "\(short.sorted())")
      for name in names {
        let why = try lifeline("why", "t", name)
        #expect(why.status == 0 && why.output.hasPrefix(name), "\(name): \(why.output)\(why.errors)")
      }
    }
  }
}
