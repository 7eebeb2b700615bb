import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct AsyncFrameTests {
  /// An object as the program printed it, and as it was recorded.
  private struct Made {
    let path: String
    let task: UInt64
    var recorded = ""
    var recordedTask: UInt64 = 0
    var isComplete = false
  }

  /// Maps an address to the letter of the function step_<letter> that contains it; nil for all other functions.
  private struct Letters {
    private var starts: [(address: UInt64, letter: Character?)] = []

    init(_ program: String) throws {
      for line in try CommandResult.run("nm", [program]).output.split(separator: "\n") {
        let fields = line.split(separator: " ")
        guard fields.count == 3, "tT".contains(fields[1]), let address = UInt64(fields[0], radix: 16) else { continue }
        starts.append((address, Self.letter(String(fields[2]))))
      }
      starts.sort { $0.address < $1.address }
    }

    /// Closures, witnesses and thunks contain the name of their function too.
    private static func letter(_ mangled: String) -> Character? {
      guard let name = mangled.range(of: "step_"), name.upperBound < mangled.endIndex else { return nil }
      let rest = mangled[name.upperBound...]
      return rest.range(of: "[uU][0-9]*_|TW|TA|TR", options: .regularExpression) == nil ? rest.first : nil
    }

    subscript(_ address: UInt64) -> Character? {
      var low = 0, high = starts.count
      while low < high {
        let middle = (low + high) / 2
        if starts[middle].address <= address { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? starts[low - 1].letter : nil
    }
  }

  private func made(_ program: TestProgram) throws -> [Made] {
    let letters = try Letters(program.path)
    return try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        program.path,
        environment: [
          "LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/t:session=1",
          "SWIFT_BACKTRACE": "enable=no",
        ])
      #expect(result.status == 0)
      var byAddress: [UInt64: Made] = [:]
      for line in result.output.split(separator: "\n") where line.hasPrefix("made ") {
        let fields = line.split(separator: " ")
        guard let address = UInt64(fields[1]), let task = UInt64(fields[2]) else { continue }
        byAddress[address] = Made(path: String(fields[3].reversed()), task: task)
      }
      let trace = try Trace(path: "\(folder)/t")
      let reader = trace.events()
      var event = Event()
      while try reader.next(&event) {
        guard event.kind == .allocate, var made = byAddress[event.object] else { continue }
        var sites: [BacktraceEntry] = []
        while let site = reader.site(sites.count) { sites.append(site) }
        made.recorded = String(
          sites.compactMap { site in
            guard site.isFrame, let image = trace.tables.image(at: site.address), image.path == program.path else {
              return nil
            }
            return letters[site.lookupAddress &- image.loadBias]
          })
        made.recordedTask = event.task
        made.isComplete = sites.allSatisfy(\.isFrame)
        byAddress[event.object] = made
      }
      return Array(byAddress.values)
    }
  }

  @Test(
    """
    Awaiting functions follow the synchronous frames of a task: actors, async let, groups, continuations, \
    recursion
    """,
    arguments: [["-Onone"], ["-O"], ["-Osize"], ["-O", "-static-stdlib"], ["-O", "-Xcc", "-fno-omit-frame-pointer"]])
  func tree(_ options: [String]) throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Tests/AsyncCode/Tree.swift"), encoding: .utf8)
    let all = try made(try TestProgram(source, options: options + ["-module-name", "App"]))
    #expect(all.count > 1500)
    let wrong = all.filter { $0.recorded != $0.path }
    let unfinished = all.filter { !$0.isComplete }
    #expect(
      wrong.count == 0,
      "\(wrong.count) of \(all.count): path \(wrong.first?.path ?? ""), recorded \(wrong.first?.recorded ?? "")")
    #expect(
      unfinished.count == 0,
      """
      \(unfinished.count) of \(all.count): path \(unfinished.first?.path ?? ""), \
      recorded \(unfinished.first?.recorded ?? "")
      """
    )
    let stray = all.filter { $0.recordedTask != $0.task }
    #expect(
      stray.count == 0,
      "\(stray.count) of \(all.count): task \(stray.first?.task ?? 0), recorded \(stray.first?.recordedTask ?? 0)")
    #expect(Set(all.map(\.task)).count > 20)
  }

  @Test(
    """
    In a custom executor that the runtime calls for a suspended function, \
    the callers are marked as unknown
    """,
    arguments: ["-Onone", "-O"])
  func customExecutor(_ level: String) throws {
    let source = """
      import Dispatch
      final class Made: Sendable {}
      nonisolated(unsafe) var kept: [Made] = []
      let queue = DispatchQueue(label: "executor")
      @inline(never) func note(_ path: String) {
        let made = Made()
        kept.append(made)
        print("made", UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), 0, path)
      }
      final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
          note("?")
          let unowned = UnownedJob(job)
          queue.async { unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
      }
      let executor = Executor()
      actor Custom {
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        @inline(never) func step_x() async -> Int { note("ax"); return 1 }
      }
      let custom = Custom()
      @inline(never) func step_a() async -> Int { await custom.step_x() + 1 }
      print(await step_a() + step_a())
      """
    let all = try made(try TestProgram(source, options: [level, "-module-name", "App"]))
    #expect(all.count == 4)
    for made in all where made.path == "xa" { #expect(made.recorded == "xa" && made.isComplete) }
    for made in all where made.path == "?" { #expect(made.recorded == "" && !made.isComplete) }
  }
}
