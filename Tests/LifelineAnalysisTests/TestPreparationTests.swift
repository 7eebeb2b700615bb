import LifelineAnalysis
import LifelineHeap
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Objects that keep themselves, made by an XCTest case's `setUp()` or elsewhere.
@Suite struct TestPreparationTests {
  /// The tests of one finding for items with these backtraces; an earlier object that is not leaked has the other.
  private func tests(_ stacks: [[UInt64]], after other: [UInt64]? = nil) throws -> [String]? {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "XCTestCase.invokeTest()", library: "libXCTest.so", mangled: "$s6XCTest0A4CaseC06invokeA0yyF")
    names.add(
      0x15, "closure #1 in XCTestCase.performSetUpSequence()", library: "libXCTest.so",
      mangled: "$s6XCTest0A4CaseC20performSetUpSequenceyyFyyYaKcfU_TQ0_")
    names.add(
      0x16, "XCTestCaseSuite.tearDown()", library: "libXCTest.so", mangled: "$s6XCTest0A9CaseSuiteC8tearDownyyF")
    names.functions[0x17] = CodeFrame(function: "static ChannelTests.tearDown()", image: "AppTests.xctest")
    names.testFunctions = ["WriteTests.writing"]
    for (hundred, name) in [
      (0x12, "ChannelTests.setUp()"), (0x13, "OtherTests.testA()"),
      (0x18, "specialized closure #1 in closure #2 in OtherTests.testA()"),
      (0x19, "closure #1 in WriteTests.writing(_:)"),
      (0x1A, "closure #1 in WriteTests.prepare()"), (0x1B, "closure #1 in OtherTests.makeA()"),
    ] as [(UInt64, String)] {
      names.functions[hundred] = CodeFrame(function: name, image: "AppTests.xctest")
    }
    var heap = HeapGraphBuilder()
    let field = HeapField(name: "next", offset: 16, size: 8)
    let type = heap.addType(HeapType(kind: .object, name: "App.Item", isOwn: true, fields: [field]))
    var trace = TraceBuilder()
    trace.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    trace.addClass(1, "App.Item")
    let items = (1...).prefix(stacks.count).map { UInt64($0) << 12 }
    for item in items {
      heap.addNode(item, size: 32, type: type, strongCount: 1)
      heap.addEdge(from: item, offset: 16, to: item)
    }
    trace.addEvents { stream in
      if let other { stream.add(3, 0xF000, at: other, time: 1001, arguments: [1, 32]) }
      for (item, stack) in zip(items, stacks) { stream.add(3, item, at: stack, time: item, arguments: [1, 32]) }
    }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    return try trace.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: names).findings }.first?.leak?
      .tests
  }

  @Test("What XCTest called to prepare a test is named, before the other tests if it made the described object")
  func preparation() throws {
    let prepared: [UInt64] = [0x1001, 0x1101, 0x1201], test: [UInt64] = [0x1001, 0x1101, 0x1301]
    // Another shape would be another finding, so all are allocated by the same function.
    let common: [UInt64] = [0x1401]
    #expect(try tests([prepared + common, test + common]) == ["ChannelTests.setUp()", "OtherTests.testA()"])
    #expect(try tests([test + common, prepared + common]) == ["OtherTests.testA()", "ChannelTests.setUp()"])
  }

  @Test("What XCTest awaits before a test, and what it calls for a class of tests, is named as well")
  func asynchronousAndOfClass() throws {
    #expect(try tests([[0x1501, 0x1201, 0x1401]]) == ["ChannelTests.setUp()"])
    #expect(try tests([[0x1001, 0x1601, 0x1701, 0x1401]]) == ["static ChannelTests.tearDown()"])
  }

  @Test("A closure that is written in a test belongs to it, whatever runs it")
  func closure() throws {
    #expect(try tests([[0x1801, 0x1401]]) == ["OtherTests.testA()"])
    #expect(try tests([[0x1901, 0x1401]]) == ["WriteTests.writing(_:)"])
    #expect(try tests([[0x1A01, 0x1401]]) == [])
    #expect(try tests([[0x1B01, 0x1401]]) == [])
  }

  @Test("A leak that no test made is given to none, whatever was allocated before it")
  func outside() throws { #expect(try tests([[0x1001]], after: [0x1301]) == []) }

  @Test("A function of that name that XCTest did not call is not a test")
  func otherCaller() throws {
    #expect(try tests([[0x1001, 0x1201, 0x1401]]) == [])
  }
}
