import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// What happens to an object between its final release and the end of its deinit, and which thread is responsible.
@Suite struct RaceTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4, deallocate: UInt8 = 5,
    useAfterFree: UInt8 = 21, resurrection: UInt8 = 23

  /// main 0x10, Studio.mixer.getter 0x11, Studio.reset() 0x12, Mixer.deinit 0x13, register(_:) 0x14.
  private static var names: SampleNames {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "Studio.mixer.getter")
    names.add(0x12, "Studio.reset()")
    names.add(0x13, "Mixer.deinit")
    names.add(0x14, "register(_:)")
    names.add(0x15, "_Block_copy", library: "libBlocksRuntime.so", mangled: "")
    return names
  }

  /// The mixer's final release is on thread 1, at 1100; its deinit ends at 1300.
  private func diagnose(
    escapes: Bool, first: (inout StreamBuilder) -> Void = { _ in }, second: (inout StreamBuilder) -> Void,
    endsOn thread: UInt32 = 1
  ) throws -> Diagnosis {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Mixer")
    builder.addThread(2, name: "player")
    func end(_ stream: inout StreamBuilder) {
      stream.add(Self.deallocate, 0x5000, at: [0x1001, 0x1205, 0x1301], time: 1310)
      stream.add(Self.free, 0x5000, at: [0x1001, 0x1205, 0x1301], time: 1320)
    }
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1030, arguments: [1, 0])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1001, 0x1205], time: 1100)
      first(&stream)
      if escapes { stream.add(Self.resurrection, 0x5000, at: [0x1001, 0x1205, 0x1301], time: 1300, arguments: [1]) }
      if thread == 1 { end(&stream) }
    }
    builder.addEvents(stream: 2, thread: 2) { stream in
      second(&stream)
      if thread == 2 { end(&stream) }
    }
    return try builder.withFile { try Diagnosis(Trace(path: $0), names: Self.names) }
  }

  private func expectRace(_ diagnosis: Diagnosis) throws {
    let finding = try #require(diagnosis.findings.first)
    #expect(
      diagnosis.findings.count == 1 && finding.kind == .useAfterFree && finding.access == .retain
        && finding.severity == .error)
    #expect(finding.place(.access)?.event.thread == 2, "the other thread did it")
    #expect(finding.place(.finalRelease)?.event.thread == 1)
    #expect(finding.lifetime?.timing.name == "too early")
    #expect(finding.lifetime?.intruder?.event.thread == 2)
  }

  @Test("An object that another thread retains and keeps during its deinit is used after its end, not resurrected")
  func kept() throws {
    try expectRace(
      diagnose(escapes: true, second: { $0.add(Self.retain, 0x5000, count: 1, at: [0x1002, 0x1104], time: 1150) }))
  }

  @Test(
    "An object that another thread retains and releases during its deinit is used after its end")
  func givenBack() throws {
    try expectRace(
      diagnose(
        escapes: false,
        second: { stream in
          stream.add(Self.retain, 0x5000, count: 1, at: [0x1002, 0x1104], time: 1150)
          stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x1108], time: 1160)
        }))
  }

  @Test("If the other thread's release comes after the end, and is caught, it is not one too many")
  func releasedLate() throws {
    try expectRace(
      diagnose(
        escapes: false,
        second: { stream in
          stream.add(Self.retain, 0x5000, count: 1, at: [0x1002, 0x1104], time: 1150)
          stream.add(Self.useAfterFree, 0x5000, at: [0x1002, 0x1108], time: 1400, arguments: [3, 0, 0])
        }))
  }

  @Test("Another thread's earlier events, listed too late because no order fits, are not a race")
  func listedTooLate() throws {
    let diagnosis = try diagnose(
      escapes: false,
      second: { stream in
        stream.add(Self.retain, 0x5000, count: 4, at: [0x1002, 0x1104], time: 1150)
        stream.add(Self.retain, 0x5000, count: 5, at: [0x1002, 0x1104], time: 1152)
        stream.add(Self.release, 0x5000, count: 4, at: [0x1002, 0x1108], time: 1160)
      })
    #expect(diagnosis.findings.isEmpty)
  }

  @Test(
    "A retain and release that also fit before the final release race only if the thread's clock was past it",
    arguments: [false, true])
  func fitsBefore(isLater: Bool) throws {
    let diagnosis = try diagnose(
      escapes: false,
      first: { stream in
        stream.add(Self.retain, 0x5000, count: 1, at: [0x1001, 0x1205, 0x1302], time: 1105)
        stream.add(Self.release, 0x5000, count: 0, at: [0x1001, 0x1205, 0x1302], time: 1290)
      },
      second: { stream in
        for time in [UInt64(1150), 1160].prefix(isLater ? 2 : 1) {
          stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x1104], time: time)
          stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x1108], time: time + 5)
        }
      })
    if isLater {
      try expectRace(diagnosis)
      #expect(diagnosis.findings.first?.place(.access)?.event.clock == 1160)
    } else {
      #expect(diagnosis.findings.isEmpty)
    }
  }

  @Test("An object that its own deinit retains and keeps is resurrected, and the finding shows where")
  func escape() throws {
    let diagnosis = try diagnose(
      escapes: true,
      first: { $0.add(Self.retain, 0x5000, count: 1, at: [0x1001, 0x1205, 0x1302, 0x1401], time: 1150) },
      second: { _ in })
    let finding = try #require(diagnosis.findings.first)
    #expect(diagnosis.findings.count == 1 && finding.kind == .resurrection)
    #expect(finding.place(.access)?.event.sequence == 3 && finding.lifetime?.intruder == nil)
    #expect(finding.lifetime?.timing.name == "too early")
  }

  @Test("What a deinit gives to another thread escaped, even if that thread is done with it before the deinit ends")
  func escapeToThread() throws {
    let diagnosis = try diagnose(
      escapes: false,
      first: { $0.add(Self.retain, 0x5000, count: 1, at: [0x1001, 0x1205, 0x1302, 0x1401], time: 1150) },
      second: { stream in
        for time in [UInt64(1200), 1210] {
          stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x1104], time: time)
          stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x1108], time: time + 5)
        }
        stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x1108], time: 1220)
      })
    let finding = try #require(diagnosis.findings.first)
    #expect(diagnosis.findings.count == 1 && finding.kind == .resurrection)
    #expect(finding.place(.access)?.event.clock == 1150 && finding.lifetime?.intruder == nil)
    #expect(finding.lifetime?.timing.name == "too early")
  }

  @Test("So is what it gave to a block that is over before the deinit ends")
  func escapeToBlock() throws {
    let diagnosis = try diagnose(
      escapes: false,
      first: { stream in
        stream.add(Self.retain, 0x5000, count: 1, at: [0x1001, 0x1205, 0x1302, 0x1501], time: 1150)
        stream.add(Self.release, 0x5000, count: 0, at: [0x1001, 0x1205, 0x1302], time: 1290)
      },
      second: { stream in
        for time in [UInt64(1200), 1210] {
          stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x1104], time: time)
          stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x1108], time: time + 5)
        }
      })
    let finding = try #require(diagnosis.findings.first)
    #expect(diagnosis.findings.count == 1 && finding.kind == .resurrection)
    #expect(finding.place(.access)?.event.clock == 1150 && finding.lifetime?.intruder == nil)
  }

  @Test("If the deinit released what it retained itself, what it called kept the object")
  func escapeWithin() throws {
    let diagnosis = try diagnose(
      escapes: true,
      first: { stream in
        stream.add(Self.retain, 0x5000, count: 1, at: [0x1001, 0x1205, 0x1302], time: 1150)
        stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, 0x1205, 0x1303, 0x1401], time: 1160)
        stream.add(Self.release, 0x5000, count: 1, at: [0x1001, 0x1205, 0x1305], time: 1170)
      }, second: { _ in })
    let finding = try #require(diagnosis.findings.first)
    #expect(diagnosis.findings.count == 1 && finding.kind == .resurrection)
    #expect(finding.place(.access)?.event.clock == 1160)
  }

  @Test(
    "A use of what escaped is no finding of its own; neither is its methods' use of what ended with it, unlike others'",
    arguments: [(0x1305, 1), (0x1405, 2)] as [(UInt64, Int)])
  func afterEscape(user: UInt64, findings: Int) throws {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Mixer")
    builder.addClass(2, "App.Reel")
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1030, arguments: [1, 0])
      stream.add(Self.allocate, 0x6000, at: [0x1001, 0x1105], time: 1040, arguments: [2, 0])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1001, 0x1205], time: 1100)
      stream.add(Self.retain, 0x5000, count: 1, at: [0x1001, 0x1205, 0x1302], time: 1110)
      stream.add(Self.release, 0x6000, count: 0, at: [0x1001, 0x1205, 0x1303], time: 1120)
      stream.add(Self.deallocate, 0x6000, at: [0x1001, 0x1205, 0x1303], time: 1130)
      stream.add(Self.free, 0x6000, at: [0x1001, 0x1205, 0x1303], time: 1140)
      stream.add(Self.resurrection, 0x5000, at: [0x1001, 0x1205, 0x1301], time: 1300, arguments: [1])
      stream.add(Self.deallocate, 0x5000, at: [0x1001, 0x1205, 0x1301], time: 1310)
      stream.add(Self.free, 0x5000, at: [0x1001, 0x1205, 0x1301], time: 1320)
      stream.add(Self.useAfterFree, 0x5000, at: [0x1001, 0x1209], time: 1400, arguments: [1, 0, 0])
      stream.add(Self.useAfterFree, 0x6000, at: [0x1001, 0x120A, user], time: 1410, arguments: [2, 0, 0])
    }
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), names: Self.names) }
    let kinds: [Finding.Kind] = [.resurrection, .useAfterFree]
    #expect(diagnosis.findings.map(\.kind) == Array(kinds.prefix(findings)))
  }

  @Test("An isolated deinit on another thread than the final release may retain the object")
  func isolatedDeinit() throws {
    let diagnosis = try diagnose(
      escapes: false,
      second: { stream in
        stream.add(Self.retain, 0x5000, count: 1, at: [0x1002, 0x1301], time: 1150)
        stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x1305], time: 1160)
      }, endsOn: 2)
    #expect(diagnosis.findings.isEmpty)
  }
}
