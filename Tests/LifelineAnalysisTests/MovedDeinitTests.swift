import LifelineAnalysis
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Objects whose owner let go on the main thread, and which a block kept until it ended on another one.
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
    names.add(0x30, "_dispatch_call_block_and_release", library: "libdispatch.so", mangled: "")
    names.storedProperties = ["App.Window": [StoredProperty(name: "job", strength: .strong, typeNames: ["App.Job"])]]
    names.writtenDeinits = written
    return names
  }

  /// `meanwhile` are the queue's events before the owner lets go, at 1200; `isOwnBlock`: a method of the job's made the
  /// block that ends.
  private func findings(
    written: Set<String>, images: [String] = [], isOwnBlock: Bool = false,
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
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x9000, at: [0x1001], time: 1010, arguments: [2, 0])
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1020, arguments: [1, 0])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, 0x1110, 0x3001], time: 1030)
      stream.add(Self.allocate, 0xA000, at: [0x1001, 0x1108], time: 1040, arguments: [3, 0])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1001, 0x1208], time: 1200)
    }
    let block: [UInt64] = isOwnBlock ? [0x3001, 0x1401, 0x3005] : [0x3001]
    builder.addEvents(stream: 2, thread: 2) { stream in
      meanwhile(&stream)
      stream.add(Self.release, 0x5000, count: 0, at: block, time: 1300)
      stream.add(Self.release, 0xA000, count: 0, at: block + [0x1301], time: 1310)
      stream.add(Self.deallocate, 0xA000, at: block + [0x1301], time: 1320)
      stream.add(Self.free, 0xA000, at: block + [0x1301], time: 1330)
      stream.add(Self.deallocate, 0x5000, at: block + [0x1302], time: 1340)
      stream.add(Self.free, 0x5000, at: block + [0x1302], time: 1350)
    }
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), names: Self.names(written: written)) }
    #expect(diagnosis.findings.count + diagnosis.late.count == 1, "it was late, and that is told once")
    return diagnosis.findings
  }

  private func place(_ findings: [Finding]) -> String? {
    guard case .elsewhere(let executor, let className)? = findings.first?.consequences.first else { return nil }
    return "\(executor) \(className ?? "own")"
  }

  @Test("A deinit that a person wrote makes a finding where it ran on another thread than its owner's")
  func own() throws {
    let found = try findings(written: ["App.Job"])
    #expect(found.first?.severity == .warning && place(found) == "background own")
  }

  @Test("So does that of an object that ended in it")
  func within() throws {
    #expect(place(try findings(written: ["App.File"])) == "background App.File")
  }

  @Test("What the compiler wrote does the same on any thread: no finding")
  func compilers() throws { #expect(try findings(written: []).isEmpty) }

  @Test(
    "A test runs on the main thread because the runner does: what another thread used before belongs to no thread",
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

  @Test("Outside of tests the main thread is the program's own choice")
  func noTestRun() throws {
    let used = try findings(written: ["App.Job"]) { stream in
      stream.add(Self.retain, 0x5000, count: 3, at: [0x3001, 0x1501], time: 1100)
      stream.add(Self.release, 0x5000, count: 2, at: [0x3001, 0x1501], time: 1110)
    }
    #expect(place(used) == "background own")
  }
}
