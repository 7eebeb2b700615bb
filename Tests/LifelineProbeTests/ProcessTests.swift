import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ProcessTests {
  @Test("A forked child is recorded in a trace of its own")
  func fork() throws {
    let source = """
      import Foundation
      final class Node { var value = 1 }
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      let before = (0..<10).map { _ in Node() }
      for _ in 0..<3 {
        let child = fork()
        if child == 0 {
          let mine = (0..<5).map { _ in Node() }
          _exit(Int32(mine.count))
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        print((status >> 8) & 0xFF)
      }
      print(before.count)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.behavesTheSame)
    #expect(run.plain.output == "5\n5\n5\n10\n")
    #expect(run.totals("Node")?.allocated == 10)
    #expect(run.others.count == 3)
    for child in run.others {
      #expect(child.recording.parent == run.trace.recording.process)
      #expect(child.problems == [])
    }
  }

  @Test("exec of a Swift program starts another trace; a program without Swift has no trace")
  func exec() throws {
    let source = """
      import Foundation
      final class Node { var value = 1 }
      let nodes = (0..<7).map { _ in Node() }
      let next: [String] = CommandLine.arguments.count > 1 \
      ? ["/bin/echo", "not Swift"] : [CommandLine.arguments[0], "again"]
      print(nodes.count)
      fflush(stdout)
      var pointers: [UnsafeMutablePointer<CChar>?] = next.map { strdup($0) } + [nil]
      execv(next[0], &pointers)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.behavesTheSame)
    #expect(run.plain.output == "7\n7\nnot Swift\n")
    #expect(run.others.count == 1)
    #expect(run.others.first?.recording.process == run.trace.recording.process)
    #expect(run.totals("Node")?.allocated == 7)
  }

  @Test("A library that is loaded and unloaded is an image with a load time and an unload time")
  func dynamicLibraries() throws {
    let library = try TestProgram(
      "int through(int (*function)(int), int value) { int result = function(value); return result + 1; }",
      options: ["-shared", "-fPIC", "-O2", "-Wl,--build-id=sha1"], file: "library.c", compiler: "clang")
    let source = """
      import Glibc
      final class Made { var value = 1 }
      nonisolated(unsafe) var kept: [Made] = []
      typealias Through = @convention(c) (@convention(c) (Int32) -> Int32, Int32) -> Int32
      for _ in 0..<3 {
        let library = dlopen(CommandLine.arguments[1], RTLD_NOW)!
        let through = unsafeBitCast(dlsym(library, "through"), to: Through.self)
        print(through({ kept.append(Made()); return $0 }, 41))
        dlclose(library)
      }
      """
    let run = try RecordedRun(try TestProgram(source), [library.path])
    #expect(run.behavesTheSame && run.plain.output == "42\n42\n42\n")
    let images = run.trace.tables.images.filter { $0.path == library.path }
    #expect(images.count == 3)
    #expect(images.allSatisfy { $0.buildID.count == 20 })
    #expect(images.allSatisfy { $0.loaded < $0.unloaded ?? 0 })
    for object in run.summary.tracker.liveObjects {
      let sites = run.summary.tracker.backtraces.entries(object.allocation)
      #expect(
        sites.contains { run.trace.tables.image(at: $0.address, clock: object.allocationClock)?.path == library.path })
      #expect(sites.allSatisfy { $0.isFrame })
    }
  }

  @Test("A program that closes every file descriptor is recorded until it ends")
  func closedDescriptors() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      for descriptor in 0..<2048 as Range<Int32> where descriptor > 2 { close(descriptor) }
      var total = 0
      for index in 0..<200_000 { let node = Node(); node.value = index; total &+= node.value; keep(node) }
      @inline(never) func keep(_ node: Node) { last = node }
      nonisolated(unsafe) var last = Node()
      print(total)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.behavesTheSame)
    #expect(run.totals("Node")?.allocated == 200_001)
    #expect(run.trace.problems == [] && run.summary.problems == [])
  }

  @Test("When the trace cannot grow, the program continues and the trace says why recording stopped")
  func sizeLimit() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      setrlimit(__rlimit_resource_t(1), &limit)
      nonisolated(unsafe) var last = Node()
      for index in 0..<300_000 { let node = Node(); node.value = index; last = node }
      print(last.value)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.traced.output == "299999\n" && run.traced.status == 0)
    #expect(run.traced.errors.filter { $0 == "\n" }.count == 1)
    let sentence = "the file size limit (ulimit -f) was reached"
    #expect(run.traced.errors.contains("stopped: \(sentence)"))
    #expect(run.trace.recording.stopSentence == sentence)
    #expect(run.summary.events > 10_000 && run.summary.problems == [])
  }

  @Test("errno survives every reference counting call")
  func errnoIsKept() throws {
    let source = """
      import Glibc
      final class Node { weak var other: Node?; var value = 1 }
      nonisolated(unsafe) var last = Node()
      var wrong = 0
      for _ in 0..<100_000 {
        errno = 77
        let node = Node()
        node.other = last
        if node.other == nil { wrong += 1 }
        last = node
        if errno != 77 { wrong += 1 }
      }
      print(wrong)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.plain.output == "0\n" && run.behavesTheSame)
  }
}
