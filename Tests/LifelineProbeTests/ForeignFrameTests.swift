import Foundation
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ForeignFrameTests {
  private static let folder = BuiltPackage.root.appendingPathComponent("Tests/ForeignCode").path

  private static func compiled(_ name: String, _ options: [String], compiler: String) throws -> String {
    let source = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    return try TestProgram(source, options: ["-O2", "-I", folder] + options, file: name, compiler: compiler).path
  }

  /// Runs a program under the probe that allocates a `Made` before each backtrace that libgcc takes.
  private func witnessed(_ body: String, _ level: String) throws -> RecordedRun {
    let object = try Self.compiled("foreign.cpp", ["-c"], compiler: "clang++")
    let source = """
      final class Made { var value = 1 }
      nonisolated(unsafe) var kept: [Made] = []
      @inline(never) func keep(_ value: Int32) { kept.append(Made()); witness() }
      @inline(never) func descend(_ depth: Int32) {
        keep(depth)
        if depth > 0 { descend(depth - 1); keep(depth) }
      }
      let make: callback = { keep($0) }
      \(body)
      """
    return try RecordedRun(
      try TestProgram(
        source, options: [level, "-import-objc-header", "\(Self.folder)/foreign.h", "-Xlinker", object, "-lstdc++"]),
      options: "frames=512")
  }

  @Test(
    "Backtraces equal libgcc's during and after foreign control flow",
    arguments: [
      ("longjmp", "through_longjmp(make) { round in descend(2); descend(round); leave(round) }", 18),
      ("C++ exceptions", "through_exceptions(make)", 10),
      (
        "swapcontext",
        """
        through_coroutines({ which in
          for round in 0..<3 as Range<Int32> { descend(round); pause_routine(which); keep(round) }
        }, make)
        """, 32
      ),
      ("signals", "through_signal(make, 0); through_signal(make, 1); through_signal(make, 1)", 6),
      ("threads", "for _ in 0..<5 { through_thread(make) }", 5),
      ("qsort and bsearch", "through_search(make)", 9),
      ("deep recursion", "descend(300); descend(400)", 1402),
    ], ["-Onone", "-O"])
  func foreign(_ sample: (name: String, body: String, least: Int), _ level: String) throws {
    let run = try witnessed(sample.body, level)
    #expect(run.traced.status == 0)
    #expect(run.plain.output.split(separator: "\n").count == run.traced.output.split(separator: "\n").count)
    let witnesses = run.traced.output.split(separator: "\n").map {
      $0.split(separator: " ").dropFirst().compactMap { UInt64($0, radix: 16) }
    }
    let tracker = run.summary.tracker
    let recorded = tracker.liveObjects.map { tracker.backtraces.entries($0.allocation) }
    #expect(
      witnesses.count == recorded.count && recorded.count >= sample.least, "\(sample.name): \(recorded.count) events")
    // `keep` is the innermost function of a witness; at -Onone the allocation is also in the object's initializer.
    let different = zip(witnesses, recorded).filter { witness, sites in
      sites.suffix(witness.count - 1).map(\.address) != Array(witness.dropFirst()) || sites.count > witness.count + 1
        || !sites.allSatisfy(\.isFrame)
    }
    #expect(
      different.count == 0,
      "\(sample.name): libgcc \(different.first?.0 ?? []), recorded \(different.first?.1.map(\.address) ?? [])")
  }

  @Test(
    "Frames of a library at the address of an unloaded one are its own, despite old frames on the stack",
    arguments: ["-Onone", "-O"])
  func reusedAddress(_ level: String) throws {
    let first = try Self.compiled("plugin.c", ["-shared", "-fPIC", "-DFIRST"], compiler: "clang")
    let second = try Self.compiled("plugin.c", ["-shared", "-fPIC"], compiler: "clang")
    let source = """
      import Glibc
      final class Made { var value = 1 }
      nonisolated(unsafe) var kept: [Made] = []
      typealias Through = @convention(c) (@convention(c) () -> Void) -> Void
      let paths = CommandLine.arguments.dropFirst().map { strdup($0)! }
      var places: Set<UInt> = []
      for round in 0..<6 {
        let library = dlopen(paths[round % 2], RTLD_NOW)!
        let function = dlsym(library, "through")!
        places.insert(UInt(bitPattern: function) & ~4095)
        unsafeBitCast(function, to: Through.self)({ kept.append(Made()) })
        dlclose(library)
      }
      print(places.count)
      """
    let run = try RecordedRun(try TestProgram(source, options: [level]), [first, second])
    try #require(run.plain.output == "1\n", "both libraries are loaded at the same address")
    #expect(run.behavesTheSame)
    let tracker = run.summary.tracker
    let inLibrary = tracker.liveObjects.map { object in
      tracker.backtraces.entries(object.allocation).filter {
        [first, second].contains(run.trace.tables.image(at: $0.address, clock: object.allocationClock)?.path)
      }.count
    }
    #expect(inLibrary == [2, 1, 2, 1, 2, 1])
    let depths = tracker.liveObjects.map { tracker.backtraces.entries($0.allocation).count }
    #expect(depths.indices.allSatisfy { depths[$0] == depths[$0 % 2] } && depths[0] == depths[1] + 1)
  }
}
