import LifelineAnalysis
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Objects whose owner released them on the main thread while a block on another thread kept them.
@Suite struct MovedDeinitTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4, deallocate: UInt8 = 5

  /// main 0x10, open() 0x11, close() 0x12, Job.deinit 0x13, closure #1 in Job.start() 0x14; the queue's 0x30.
  private static func names(written: Set<String>) -> SampleNames {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "open()")
    names.add(0x12, "close()")
    names.add(0x13, "Job.__deallocating_deinit", mangled: "$s3App3JobCfD")
    names.add(0x14, "closure #1 in Job.start()", mangled: "$s3App3JobC5startyyFyycfU_")
    names.add(0x31, "RunJob::process(swift::Job*)", library: "libswift_Concurrency.so", mangled: "")
    names.add(0x30, "_dispatch_call_block_and_release", library: "libdispatch.so", mangled: "")
    names.storedProperties = ["App.Window": [StoredProperty(name: "job", strength: .strong, typeNames: ["App.Job"])]]
    names.writtenDeinits = written
    return names
  }

  /// `meanwhile` adds the queue's events before the owner's release at 1200. With `isOwnBlock`, a method of the job
  /// created the block that ends. With `isIsolated`, the deinit ran on the main thread, in optimized code, which shows
  /// only the runtime's job. The owner's release and the end run code of `queues`: 1 "store", 2 "cache".
  private func findings(
    written: Set<String>, images: [String] = [], isOwnBlock: Bool = false, isIsolated: Bool = false,
    ownerThread: UInt32 = 1, queues: (owner: UInt64, end: UInt64) = (0, 0),
    meanwhile: (inout StreamBuilder) -> Void = { _ in }
  ) throws -> [Finding] {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addImage(2, "/lib/libdispatch.so", addresses: 0x3000..<0x4000, flags: 2)
    for (index, path) in images.enumerated() {
      builder.addImage(UInt32(3 + index), path, addresses: 0x8000..<0x9000, flags: 2)
    }
    builder.addClass(1, "App.Job")
    builder.addClass(2, "App.Window")
    builder.addClass(3, "App.File")
    builder.addThread(2, name: "queue")
    builder.addThread(3, name: "pool")
    builder.addString(1, "store")
    builder.addString(2, "cache")
    builder.addEvents(thread: ownerThread) { stream in
      if queues.owner > 0 { stream.run(33, queues.owner) }
      stream.add(Self.allocate, 0x9000, at: [0x1001], time: 1010, arguments: [2, 0])
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1020, arguments: [1, 0])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, 0x1110, 0x3001], time: 1030)
      stream.add(Self.allocate, 0xA000, at: [0x1001, 0x1108], time: 1040, arguments: [3, 0])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1001, 0x1208], time: 1200)
      guard isIsolated else { return }
      stream.add(Self.deallocate, 0x5000, at: [0x1001, 0x3101], time: 1340)
      stream.add(Self.free, 0x5000, at: [0x1001, 0x3101], time: 1350)
    }
    let block: [UInt64] = isOwnBlock ? [0x3001, 0x1401, 0x3005] : [0x3001]
    builder.addEvents(stream: 2, thread: 2) { stream in
      if queues.end > 0 { stream.run(33, queues.end) }
      meanwhile(&stream)
      stream.add(Self.release, 0x5000, count: 0, at: block, time: 1300)
      if isIsolated { return }
      stream.add(Self.release, 0xA000, count: 0, at: block + [0x1301], time: 1310)
      stream.add(Self.deallocate, 0xA000, at: block + [0x1301], time: 1320)
      stream.add(Self.free, 0xA000, at: block + [0x1301], time: 1330)
      stream.add(Self.deallocate, 0x5000, at: block + [0x1302], time: 1340)
      stream.add(Self.free, 0x5000, at: block + [0x1302], time: 1350)
    }
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), names: Self.names(written: written)) }
    #expect(diagnosis.findings.count + diagnosis.late.count == 1, "its late deallocation is reported once")
    return diagnosis.findings
  }

  private func place(_ findings: [Finding]) -> String? {
    guard case .elsewhere(let executor, let className)? = findings.first?.consequences.first else { return nil }
    return "\(executor) \(className ?? "own")"
  }

  @Test("A handwritten deinit that ran on another thread than the owner's is a finding")
  func own() throws {
    let found = try findings(written: ["App.Job"])
    #expect(found.first?.severity == .warning && place(found) == "background own")
  }

  @Test("A handwritten deinit that a compiler-generated deinit runs on another thread is a finding")
  func within() throws {
    #expect(place(try findings(written: ["App.File"])) == "background App.File")
  }

  @Test("A compiler-generated deinit that ran on another thread is not a finding")
  func compilers() throws { #expect(try findings(written: []).isEmpty) }

  @Test("A deinit that ran on its owner's thread is not a finding, wherever the final release was")
  func isolated() throws { #expect(try findings(written: ["App.Job"], isIsolated: true).isEmpty) }

  @Test(
    "In a test, an object that another thread used before may be freed on any thread",
    arguments: ["/tmp/AppTests.xctest", "/lib/libXCTest.so", "/lib/libTesting.so"])
  func testRun(_ image: String) throws {
    #expect(place(try findings(written: ["App.Job"], images: [image])) == "background own")
    let used = try findings(written: ["App.Job"], images: [image]) { stream in
      stream.add(Self.retain, 0x5000, count: 3, at: [0x3001, 0x1501], time: 1100)
      stream.add(Self.release, 0x5000, count: 2, at: [0x3001, 0x1501], time: 1110)
    }
    #expect(used.isEmpty)
    #expect(try findings(written: ["App.Job"], images: [image], isOwnBlock: true).isEmpty)
  }

  @Test("Outside of tests, an object freed on another thread is a finding even if that thread used it before")
  func noTestRun() throws {
    let used = try findings(written: ["App.Job"]) { stream in
      stream.add(Self.retain, 0x5000, count: 3, at: [0x3001, 0x1501], time: 1100)
      stream.add(Self.release, 0x5000, count: 2, at: [0x3001, 0x1501], time: 1110)
    }
    #expect(place(used) == "background own")
  }

  @Test("A serial queue whose code released the owner's reference is an executor, wherever that ran")
  func queues() throws {
    let written: Set = ["App.Job"]
    for thread: UInt32 in [1, 3] {
      #expect(place(try findings(written: written, ownerThread: thread, queues: (1, 0))) == "background own")
      #expect(place(try findings(written: written, ownerThread: thread, queues: (1, 2))) == "queue(\"cache\") own")
      #expect(try findings(written: written, ownerThread: thread, queues: (1, 1)).isEmpty)
    }
    #expect(place(try findings(written: written, queues: (0, 2))) == "queue(\"cache\") own")
  }

  @Test("An owner that released its reference on a thread of a pool expects no executor, so no queue is another one")
  func pool() throws {
    #expect(try findings(written: ["App.Job"], ownerThread: 3).isEmpty)
    #expect(try findings(written: ["App.Job"], ownerThread: 3, queues: (0, 2)).isEmpty)
  }
}
