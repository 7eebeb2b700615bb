@testable import LifelineAnalysis
import LifelineHeap
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Cycles of SwiftNIO's objects, which a call ends.
@Suite struct LeakChannelTests {
  private static let allocate: UInt8 = 3

  private struct Object {
    let name: String
    /// The names of other objects by property; a closure's is captured.
    let references: KeyValuePairs<String, String>
    init(_ name: String, _ references: KeyValuePairs<String, String>) {
      self.name = name
      self.references = references
    }
  }

  /// The changes that are proposed for some objects, each retained by those that refer to it.
  private func changes(_ objects: KeyValuePairs<String, Object>) throws -> [LeakCut.Change]? {
    try leak(objects)?.cut?.changes
  }

  private func leak(_ objects: KeyValuePairs<String, Object>) throws -> Leak? {
    var heap = HeapGraphBuilder(), trace = TraceBuilder()
    trace.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    let closure = heap.addType(HeapType(kind: .closure, name: "(closure context)"))
    let addresses = Dictionary(
      uniqueKeysWithValues: objects.enumerated().map { ($1.key, 0x5000 + UInt64($0) * 0x1000) })
    let targets = objects.flatMap { $0.value.references.map(\.value) }
    let counts = Dictionary(grouping: targets, by: \.self).mapValues(\.count)
    for (id, object) in objects.enumerated() {
      let fields = object.value.references.enumerated().map {
        HeapField(name: $1.key, offset: 16 + $0 * 16, size: 16, content: $1.key.contains(".") ? .anything : .object)
      }
      let isClosure = object.value.name.isEmpty
      let type = HeapType(kind: .object, name: object.value.name, isOwn: true, fields: fields)
      heap.addNode(
        addresses[object.key]!, size: 96, type: isClosure ? closure : heap.addType(type),
        strongCount: counts[object.key] ?? 0)
      if !isClosure { trace.addClass(UInt32(id + 1), object.value.name) }
    }
    for (key, object) in objects {
      for (index, reference) in object.references.enumerated() {
        let isClosure = objects.first { $0.key == reference.value }!.value.name.isEmpty
        heap.addEdge(
          from: addresses[key]!, offset: 16 + index * 16 + (isClosure ? 8 : 0), to: addresses[reference.value]!,
          function: isClosure ? 0x1234 : nil)
      }
    }
    trace.addEvents { stream in
      for (id, object) in objects.enumerated() where !object.value.name.isEmpty {
        stream.add(
          Self.allocate, addresses[object.key]!, at: [0x1001], time: 1010 + UInt64(id), arguments: [UInt64(id + 1), 96])
      }
    }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    var names = SampleNames()
    names.add(0x10, "main")
    let diagnosis = try trace.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: names) }
    return diagnosis.findings.first?.leak
  }

  private static let channel = Object("NIOEmbedded.EmbeddedChannel", ["_pipeline": "pipeline"])
  private static let pipeline = Object(
    "NIOCore.ChannelPipeline", ["_channel": "channel", "head": "head", "tail": "tail"])
  private static let head = Object("NIOCore.ChannelHandlerContext", ["next": "tail", "pipeline": "pipeline"])
  private static let tail = Object(
    "NIOCore.ChannelHandlerContext", ["prev": "head", "pipeline": "pipeline", "inboundHandler": "handler"])
  private static let close = LeakCut.Change.close(["NIOEmbedded.EmbeddedChannel"], handlers: [])

  /// A channel, and a handler of a module that has its context and refers to another object of that module.
  private static func handlerWithStreams(_ module: String) -> KeyValuePairs<String, Object> {
    [
      "channel": channel, "pipeline": pipeline, "head": head, "tail": tail,
      "handler": Object("\(module).Handler", ["context": "tail", "streams": "streams"]),
      "streams": Object("\(module).Streams", ["handler": "handler"]),
    ]
  }

  @Test("A channel that was never closed is to be closed")
  func open() throws {
    let handler = Object("App.Handler", [:])
    #expect(
      try changes([
        "channel": Self.channel, "pipeline": Self.pipeline, "head": Self.head, "tail": Self.tail, "handler": handler,
      ]) == [Self.close])
  }

  @Test("What waits for its close is then called")
  func waiting() throws {
    let channel = Object(
      "NIOEmbedded.EmbeddedChannel", ["_pipeline": "pipeline", "closePromise.futureResult": "future"])
    let future = Object("NIOCore.EventLoopFuture<()>", ["_callbacks.firstCallback": "closure"])
    #expect(
      try changes([
        "channel": channel, "pipeline": Self.pipeline, "head": Self.head, "tail": Self.tail,
        "handler": Object("App.Handler", [:]), "future": future, "closure": Object("", ["": "channel"]),
      ]) == [Self.close])
  }

  @Test("A handler that has its context must give it up then")
  func context() throws {
    let handler = Object("App.Handler", ["context": "tail"])
    #expect(
      try changes([
        "channel": Self.channel, "pipeline": Self.pipeline, "head": Self.head, "tail": Self.tail, "handler": handler,
      ]) == [.close(["NIOEmbedded.EmbeddedChannel"], handlers: ["App.Handler"])])
  }

  @Test("A handler that refers to all that remains may free it when it is removed")
  func removed() throws {
    let found = try leak(Self.handlerWithStreams("NIOHTTP2"))
    let leak = try #require(found)
    #expect(leak.cut?.changes == [Self.close] && leak.cut?.breaker == "NIOHTTP2.Handler" && leak.cut?.isWhole == false)
    #expect(leak.steps.map(\.shortClassName) == ["EmbeddedChannel", "ChannelPipeline", "EmbeddedChannel"])
  }

  @Test("A program's own module may have a name like SwiftNIO's")
  func ownModule() throws {
    let changes = try changes(Self.handlerWithStreams("NIOChat"))
    #expect(changes?.contains(.makeWeak(className: "NIOChat.Streams", property: "handler")) == true)
  }

  @Test(
    "If the program's own objects refer to each other as well, that is to change, too; a closed channel is no cause")
  func elsewhere() throws {
    let owned = Object("App.Handler", ["session": "session"])
    let owner = Object("App.Session", ["handler": "handler"])
    let changes = try changes([
      "channel": Self.channel, "pipeline": Self.pipeline, "head": Self.head, "tail": Self.tail, "handler": owned,
      "session": owner,
    ])
    #expect(changes?.count == 2 && changes?.contains(Self.close) == true)
    #expect(
      changes?.compactMap(\.property?.className).allSatisfy { ["App.Handler", "App.Session"].contains($0) } == true)
    let context = Object(
      "NIOCore.ChannelHandlerContext", ["pipeline": "pipeline", "inboundHandler": "handler"])
    let closed = try self.changes([
      "pipeline": Object("NIOCore.ChannelPipeline", [:]), "tail": context,
      "handler": Object("App.Handler", ["context": "tail"]),
    ])
    #expect(closed == [.giveUpContext(className: "App.Handler", property: "context")])
    let session = try self.changes([
      "session": Object("App.Session", ["context": "tail"]), "tail": context,
      "pipeline": Object("NIOCore.ChannelPipeline", [:]), "handler": Object("App.Handler", ["session": "session"]),
    ])
    #expect(session == [.clear(className: "App.Session", property: "context", .unknown)])
  }

  @Test("What is scheduled on a test's event loop is to be run, alone or with a close")
  func scheduled() throws {
    let loop = Object("NIOEmbedded.EmbeddedEventLoop", ["scheduledTasks": "closure"])
    let run = LeakCut.Change.runTasks(className: "NIOEmbedded.EmbeddedEventLoop")
    #expect(try changes(["loop": loop, "closure": Object("", ["": "loop"])]) == [run])
    let channel = Object("NIOEmbedded.EmbeddedChannel", ["_pipeline": "pipeline", "embeddedEventLoop": "loop"])
    #expect(
      try changes([
        "loop": loop, "closure": Object("", ["": "channel"]), "channel": channel, "pipeline": Self.pipeline,
        "head": Self.head, "tail": Self.tail, "handler": Object("App.Handler", [:]),
      ]) == [Self.close, run])
  }

  @Test("A promise that keeps only SwiftNIO's closures is to be completed; a closure's capture is changed otherwise")
  func promise() throws {
    let future = Object("NIOCore.EventLoopFuture<()>", ["_callbacks.firstCallback": "closure"])
    let next = Object("NIOCore.EventLoopFuture<Swift.Int>", [:])
    #expect(
      try changes(["future": future, "closure": Object("", ["": "future"]), "next": next])
        == [.complete(className: "NIOCore.EventLoopFuture<()>", count: 1)])
    let session = Object("App.Session", ["future": "future"])
    #expect(
      try changes(["session": session, "future": future, "closure": Object("", ["": "session"])])
        == [.captureWeakly(className: "App.Session", function: 0x1234)])
  }
}
