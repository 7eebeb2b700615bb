import LifelineTestSupport
import LifelineTrace
import Testing

/// Guard pages in a correct program, which must not notice them.
@Suite(.startsPrograms) struct GuardTests {
  private static let sizes = """
    final class Buffer: ManagedBuffer<Int, Int> {}
    let buffer = Buffer.create(minimumCapacity: 10) { $0.capacity }
    // An allocator may round up, by less than 64 bytes for so small a block.
    func fits(_ capacity: Int, _ wanted: Int, _ size: Int) -> Bool { \
    capacity >= wanted && capacity * size < wanted * size + 64 }
    print(fits(buffer.header, 10, 8), buffer.header == buffer.capacity)
    print(fits(ManagedBuffer<Int, UInt8>.create(minimumCapacity: 4000) { $0.capacity }.header, 4000, 1))
    var numbers: [Int] = []
    for number in 0..<5000 { numbers.append(number) }
    print(numbers.reduce(0, +), numbers.map { $0 * 2 }.filter { $0 % 3 == 0 }.count)
    var groups: [String: [Int]] = [:]
    for number in 0..<1000 { groups["group \\(number % 37)", default: []].append(number) }
    print(groups.values.reduce(0) { $0 + $1.count })
    var bytes = [UInt8](repeating: 1, count: 300_000)
    bytes.append(2)
    print(bytes.count)
    """

  @Test(
    "Objects on guard pages have the sizes that the standard library expects", .timeLimit(.minutes(60)),
    arguments: [["-Onone"], ["-O"], ["-O", "-static-stdlib"]], ["guard=*", "guard=*:all-classes:zombies"])
  func sizes(_ build: [String], _ options: String) throws {
    let run = try RecordedRun(try TestProgram(Self.sizes, options: build), options: options)
    #expect(run.plain.output == "true true\ntrue\n12497500 1667\n1000\n300001\n")
    #expect(run.plain == run.traced)
    #expect(run.trace.tables.classes.values.contains { $0.isGuarded })
  }

  @Test("Tasks, actors and Foundation work with all their objects on guard pages", .timeLimit(.minutes(60)))
  func tasks() throws {
    let source = """
      import Foundation
      final class Box: Sendable { let value: Int; init(_ value: Int) { self.value = value } }
      actor Sum { var total = 0; func add(_ box: Box) { total += box.value } }
      let sum = Sum()
      await withTaskGroup(of: Int.self) { group in
        for value in 0..<200 { group.addTask { let box = Box(value); await sum.add(box); return box.value } }
        print(await group.reduce(0, +))
      }
      print(await sum.total)
      let json = try JSONSerialization.data(withJSONObject: ["a": [1, 2, 3], "b": "x"], options: [.sortedKeys])
      print(String(decoding: json, as: UTF8.self), "a,b,c".components(separatedBy: ",").count)
      """
    let run = try RecordedRun(try TestProgram(source), options: "guard=*:all-classes:zombies")
    #expect(run.plain.output == "19900\n19900\n{\"a\":[1,2,3],\"b\":\"x\"} 3\n")
    #expect(run.plain == run.traced)
  }

  @Test("C code can get the size of an object's memory, resize it and free it", .timeLimit(.minutes(60)))
  func memoryFunctions() throws {
    let source = """
      import Glibc
      final class Pair { var first = 1, second = 2 }
      let ask = unsafeBitCast(dlsym(nil, "malloc_usable_size"), \
      to: (@convention(c) (UnsafeMutableRawPointer) -> Int).self)
      let freed = Unmanaged.passRetained(Pair()).toOpaque()
      print(ask(freed) >= 32)
      free(freed)
      let moved = realloc(Unmanaged.passRetained(Pair()).toOpaque(), 100_000)!
      print(moved.load(fromByteOffset: 16, as: Int.self), moved.load(fromByteOffset: 24, as: Int.self), \
      ask(moved) >= 100_000)
      free(moved)
      var kept: [Pair] = []
      for _ in 0..<1000 { kept.append(Pair()) }
      print(kept.count)
      """
    let run = try RecordedRun(try TestProgram(source), options: "guard=*")
    #expect(run.plain.output == "true\n1 2 true\n1000\n")
    #expect(run.plain == run.traced)
  }

  @Test(
    "Objects get guard pages, and freed ones are protected, only while the kernel has mappings to spare",
    .timeLimit(.minutes(60)))
  func mappings() throws {
    // Every second object stays alive, so that each guarded one is a mapping of its own. At the end those are freed,
    // too.
    let source = """
      import Glibc
      final class Node { var value: Int; init(_ value: Int) { self.value = value } }
      var kept: [Node] = []
      for index in 0..<200_000 { let node = Node(index); if index % 2 == 0 { kept.append(node) } }
      print(kept.reduce(0) { $0 + $1.value })
      func map() -> Bool { mmap(nil, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED }
      func mappings() -> Int {
        let file = open("/proc/self/maps", O_RDONLY)
        var buffer = [UInt8](repeating: 0, count: 1 << 16), lines = 0
        while case let size = read(file, &buffer, buffer.count), size > 0 { \
      lines += buffer[..<size].count { $0 == 10 } }
        close(file)
        return lines
      }
      print((0..<1000).allSatisfy { _ in map() }, mappings() < 40_000)
      for index in kept.indices where index % 2 == 0 { kept[index] = kept[0] }
      print((0..<1000).allSatisfy { _ in map() }, mappings() < 40_000)
      """
    let run = try RecordedRun(try TestProgram(source), options: "guard=*")
    #expect(run.plain.output == "9999900000\ntrue true\ntrue true\n")
    #expect(run.plain == run.traced)
    let unguarded = run.trace.recording.counters.first { $0.name == "unguardedObjects" }?.value ?? 0
    #expect(unguarded > 100_000 && unguarded < 200_000)
  }

  @Test("A SIGSEGV or SIGBUS that a process sends has the same effect as without guards", .timeLimit(.minutes(60)))
  func sentSignals() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      let node = Node()
      let number = CommandLine.arguments[1] == "bus" ? SIGBUS : SIGSEGV
      print(node.value)
      fflush(stdout)
      switch CommandLine.arguments[2] {
      case "ignored": signal(number, SIG_IGN); raise(number)
      case "handled": signal(number) { _ in _ = write(1, "handled\\n", 8) }; raise(number)
      case "kill": kill(getpid(), number); usleep(100_000)
      default: raise(number)
      }
      print("after")
      """
    let program = try TestProgram(source)
    for name in ["segv", "bus"] {
      for how in ["raise", "kill", "ignored", "handled"] {
        let run = try RecordedRun(program, [name, how], options: "guard=*")
        #expect(run.plain == run.traced, "\(name) \(how)")
        #expect(run.plain.status == 0 ? how == "ignored" || how == "handled" : how == "raise" || how == "kill")
      }
    }
  }

  @Test("A program that limits its own address space can still use all of it", .timeLimit(.minutes(60)))
  func addressLimit() throws {
    let source = """
      import Glibc
      final class Bomb { let number: Int; init(_ number: Int) { self.number = number } }
      func use() -> Int {
        var status: [Substring] = []
        if let file = fopen("/proc/self/status", "r") {
          var line = [CChar](repeating: 0, count: 256)
          while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("VmSize:") { status = text.split { $0 == " " || $0 == "\\t" } }
          }
          fclose(file)
        }
        return status.count > 1 ? Int(status[1]) ?? 0 : 0
      }
      var before: [Bomb] = (0..<100).map { Bomb($0) }
      var limit = rlimit(rlim_cur: 3 << 30, rlim_max: 3 << 30)
      print(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit), use() < 3 << 20)
      let after = (0..<50_000).map { Bomb($0) }
      before.removeFirst(50)
      print(before.reduce(0) { $0 + $1.number }, after.count)
      """
    let run = try RecordedRun(TestProgram(source), options: "guard=*:zombies=1")
    #expect(run.behavesTheSame)
    #expect(run.traced.output == "0 true\n3725 50000\n")
    #expect(run.totals("Bomb")?.allocated == 50_100)
  }
}
