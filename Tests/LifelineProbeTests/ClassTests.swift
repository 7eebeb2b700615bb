import LifelineTestSupport
import LifelineTrace
import Testing

/// Which classes are recorded, under which names.
@Suite(.startsPrograms) struct ClassTests {
  @Test(
    "Classes with names of any length are recorded; names that are too long are truncated and counted",
    .timeLimit(.minutes(60)))
  func longNames() throws {
    let long = String(repeating: "Long", count: 70), longer = String(repeating: "Ü", count: 1000)
    let source = """
      final class \(long) { var value = 1 }
      final class \(longer) { var value = 1 }
      final class Outer\(long) { final class Inner\(longer) { var value = 1 } }
      final class Box<Element> { var value = 1 }
      var kept: [AnyObject] = []
      for _ in 0..<5 {
        kept += [\(long)(), \(longer)(), Outer\(long).Inner\(longer)(), Box<\(longer)>(), Box<Box<Int>>()]
      }
      print(kept.count)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.behavesTheSame && run.plain.output == "25\n")
    let classes = run.summary.tracker.classes.filter { $0.allocated == 5 }
    let names = classes.map(\.name)
    #expect(names.count == 5)
    #expect(names.contains { $0.hasSuffix(".\(long)") })
    #expect(names.contains { $0.hasSuffix(".Box<Swift.Int>>") })
    #expect(names.filter { $0.hasSuffix("ÜÜ…") && $0.utf8.count > 1000 && $0.utf8.count < 1024 }.count == 3)
    #expect(run.trace.recording.counters.first { $0.name == "incompleteNames" }?.value == 3)
  }

  @Test(
    "Classes of a library loaded at the address of an unloaded one have their own names", .timeLimit(.minutes(60)),
    arguments: ["", "zombies", "guard=*"])
  func reusedAddress(_ options: String) throws {
    func library(_ name: String) throws -> String {
      let source = """
        public final class \(name) { public var value = 1; public init() {} }
        @inline(never) func keep(_ object: AnyObject) { _ = object }
        @_cdecl("make") public func make() -> Int { (0..<10).reduce(0) { sum, _ in \
        let one = \(name)(); keep(one); return sum + one.value } }
        """
      return try TestProgram(
        source, options: ["-emit-library", "-module-name", "Plugin\(name)"], file: "\(name).swift"
      ).path
    }
    let source = """
      import Glibc
      for path in CommandLine.arguments[1...] {
        let library = dlopen(path, RTLD_NOW)!
        print(unsafeBitCast(dlsym(library, "make"), to: (@convention(c) () -> Int).self)())
        dlclose(library)
      }
      """
    let (first, second) = (try library("First"), try library("Second"))
    let run = try RecordedRun(try TestProgram(source), [first, second, first, second], options: options)
    #expect(run.behavesTheSame && run.plain.output == "10\n10\n10\n10\n")
    let loads = run.trace.tables.images.filter { $0.path == first || $0.path == second }.map(\.addresses.lowerBound)
    #expect(
      loads.count == 4 && Set(loads).count < 4,
      "No library was loaded where another had been, so nothing was tested.")
    #expect(run.totals("First")?.allocated == 20 && run.totals("Second")?.allocated == 20)
  }

  @Test(
    "Objects of a ManagedBufferPointer are recorded from their allocation on",
    arguments: ["", "depth=lives", "zombies=1", "sample=1/2", "guard=*.Storage:zombies=1"])
  func managedBuffers(options: String) throws {
    let source = """
      final class Storage {}
      @inline(never) func make(_ number: Int) -> AnyObject {
        let buffer = ManagedBufferPointer<Int, Int>(bufferClass: Storage.self, minimumCapacity: 4) { _, _ in number }
        return buffer.buffer
      }
      var kept: [AnyObject] = []
      for number in 0..<1_000 {
        let storage = make(number)
        if number % 10 == 0 { kept.append(storage) }
      }
      print(kept.count)
      """
    let run = try RecordedRun(try TestProgram(source, options: ["-Onone"]), options: options)
    #expect(run.behavesTheSame && run.plain.output == "100\n")
    #expect(run.trace.problems == [] && run.summary.problems == [])
    let storage = try #require(run.totals("Storage"))
    let isSample = options.hasPrefix("sample")
    #expect(isSample ? storage.allocated > 0 : storage.allocated == 1_000)
    #expect(isSample ? storage.liveAtExit <= 100 : storage.liveAtExit == 100)
    #expect(storage.gaps == 0 && run.summary.tracker.unattributed == 0 && run.summary.tracker.reordered == 0)
  }
}
