import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineAnalysis

/// Lifetimes written event by event, and the conclusions drawn from them.
@Suite struct StoryTests {
  static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4, deallocate: UInt8 = 5
  private static let unownedStrong: UInt8 = 14, useAfterFree: UInt8 = 21

  /// main 0x10, open 0x11, close 0x12, check 0x13, Panel.init 0x14, Window.deinit 0x15; addObserver 0x20, post 0x21.
  static var names: SampleNames {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "open()")
    names.add(0x12, "close()")
    names.add(0x13, "Monitor.check()")
    names.add(0x14, "Panel.__allocating_init()")
    names.add(0x15, "Window.deinit")
    names.add(0x16, "Panel.update()")
    names.add(0x17, "Monitor.check(_:)", mangled: "$s3App7MonitorC5checkyyAA5PanelCF")
    names.add(0x18, "Monitor.changed(_:)", mangled: "$s3App7MonitorC7changedyy10Foundation12NotificationVF")
    names.add(0x19, "Label.init(_:)")
    names.add(0x1A, "RangeReplaceableCollection.removeFirst()", mangled: "$sSm11removeFirst7ElementQzyF")
    names.add(0x1B, "Window.fill()", mangled: "$s3App6WindowC4fillyyF")
    names.add(
      0x20, "NotificationCenter.addObserver(forName:object:queue:using:)", library: "libFoundation.so",
      mangled: "$s10Foundation1fyyF")
    names.add(
      0x21, "NotificationCenter.post(name:object:)", library: "libFoundation.so", mangled: "$s10Foundation1gyyF")
    names.add(0x1C, "Link.get()", mangled: "$s3App4LinkV3getxyF")
    names.referringValues = ["App.Link": []]
    names.storedProperties = [
      "App.Window": [StoredProperty(name: "panel", strength: .strong, typeNames: ["App.Panel"])],
      "App.Monitor": [StoredProperty(name: "target", strength: .unownedUnsafe, typeNames: ["App.Panel"])],
    ]
    return names
  }

  func diagnose(names: SampleNames = Self.names, _ fill: (inout StreamBuilder) -> Void) throws -> Diagnosis {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addImage(2, "/lib/libFoundation.so", addresses: 0x2000..<0x3000, flags: 2)
    builder.addClass(1, "App.Panel")
    builder.addClass(2, "App.Window")
    builder.addClass(3, "App.Monitor")
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x9000, at: [0x1001, 0x1105], time: 1010, arguments: [2, 0])
      stream.add(Self.allocate, 0xA000, at: [0x1001], time: 1020, arguments: [3, 0])
      fill(&stream)
    }
    return try builder.withFile { try Diagnosis(Trace(path: $0), names: names) }
  }

  /// The panel is created in open(), stored in the window and registered with the notification center.
  func open(_ stream: inout StreamBuilder) {
    stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105, 0x1401], time: 1030, arguments: [1, 0])
    stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, 0x1110, 0x2001])
  }

  @Test("An observer removed during a post is kept by the post and reported late, with the length of the delay")
  func late() throws {
    let diagnosis = try diagnose { stream in
      open(&stream)
      stream.add(Self.retain, 0x9000, count: 2, at: [0x1002, 0x2101, 0x1201])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
      stream.add(Self.release, 0x9000, count: 1, at: [0x1002, 0x2101, 0x1208])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
      stream.add(Self.deallocate, 0x5000, at: [0x1002, 0x2150])
      stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
    }
    let finding = try #require(diagnosis.findings.first)
    #expect(
      finding.consequences.isEmpty && diagnosis.late.isEmpty,
      "the panel was not passed to the post, so it is reported even without consequences")
    #expect(diagnosis.findings.count == 1 && finding.kind == .lateDeallocation && finding.severity == .note)
    #expect(finding.place(.allocation)?.event.sequence == 3)
    let late = try #require(finding.lifetime?.lateDeallocation)
    #expect(
      late.lastOwner.holder
        == .property(className: "App.Window", property: "panel", instance: ObjectID(className: "App.Window", number: 1))
    )
    #expect(late.ownerRelease.event.sequence == 6)
    #expect(late.finalRelease?.event.sequence == 8)
    #expect(late.events == 2)
    #expect(late.keptSince == 5, "the first event inside the post")
    guard case .activity(let rule) = late.kept.holder else { throw StoryError() }
    #expect(rule.id == "notification-post")
  }

  @Test(
    "A post was given what the information of its notification contains, unlike its notification's subject",
    arguments: [true, false])
  func inNotification(_ isInformation: Bool) throws {
    var names = Self.names
    names.add(0x1D, "outlined destroy of Notification", mangled: "$s10Foundation12NotificationVWOh")
    names.add(0x22, "_swift_release_dealloc", library: "libswiftCore.so", mangled: "_swift_release_dealloc")
    let end: [UInt64] = [0x1002, 0x2150, 0x1D01] + (isInformation ? [0x2201] : [])
    let diagnosis = try diagnose(names: names) { stream in
      open(&stream)
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x2101, 0x1601])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1609])
      stream.add(Self.release, 0x5000, count: 0, at: end, time: 1100)
      stream.add(Self.deallocate, 0x5000, at: end)
      stream.add(Self.free, 0x5000, at: end)
    }
    #expect(diagnosis.findings.count == (isInformation ? 0 : 1))
    #expect(diagnosis.late.count == (isInformation ? 1 : 0))
  }

  @Test("An object that worked while only the post kept it is a finding that names the methods")
  func work() throws {
    let diagnosis = try diagnose { stream in
      open(&stream)
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x2101, 0x1601])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1609])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
    }
    let finding = try #require(diagnosis.findings.first)
    #expect(diagnosis.findings.count == 1 && finding.kind == .lateDeallocation && finding.severity == .note)
    let work = finding.consequences.compactMap { if case .work(let methods) = $0 { methods } else { nil } }.joined()
    #expect(work.map(\.function) == ["Panel.update()"] && work.first?.row.event.sequence == 6)
  }

  @Test("Inside a post, a method with an unowned(unsafe) reference is a near miss; one passed the object is not")
  func nearMissWithin() throws {
    func kinds(_ method: UInt64) throws -> [Finding.Kind] {
      try diagnose { stream in
        open(&stream)
        stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
        stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x2101, method + 1])
        stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, method + 9])
        stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
        stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
      }.findings.map(\.kind)
    }
    #expect(try kinds(0x1300) == [.nearMiss, .lateDeallocation])
    #expect(try kinds(0x1700) == [.lateDeallocation], "it may have come as an argument")
    #expect(try kinds(0x1800) == [.lateDeallocation], "a notification may carry it")
  }

  @Test("A use through a struct that only refers to the object is attributed to the struct's caller")
  func nearMissThroughStructure() throws {
    func miss(_ method: UInt64) throws -> Finding? {
      try diagnose { stream in
        open(&stream)
        stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
        stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x2101, method + 1, 0x1C01])
        stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, method + 9])
        stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
        stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
      }.findings.first { $0.kind == .nearMiss }
    }
    #expect(try miss(0x1300)?.sender?.property?.name == "target")
    #expect(try miss(0x1700) == nil, "it may have come as an argument")
  }

  @Test("An object that dies with its owner is on time and not a finding")
  func onTime() throws {
    let diagnosis = try diagnose { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105, 0x1401], time: 1030, arguments: [1, 0])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x1205], time: 1040)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x1205])
    }
    #expect(diagnosis.findings.isEmpty && diagnosis.verdict == .clean)
  }

  @Test("If an activity had the object from the beginning, and others in a guess, it may have had an owner")
  func passingOwner() throws {
    let diagnosis = try diagnose { stream in
      open(&stream)
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
    }
    let story = try #require(diagnosis.findings.first?.lifetime)
    let rows = story.history.rows
    let activity = try #require(story.lateDeallocation?.kept.holder)
    guard case .activity = activity else { throw StoryError() }
    func timing(_ other: Holder, _ confidence: Confidence) -> String {
      func hold(_ holder: Holder, _ confidence: Confidence, _ retain: Int, _ release: Int) -> Hold {
        Hold(
          holder: holder, confidence: confidence, balance: .likely, retain: rows[retain], release: rows[release],
          activityStart: nil)
      }
      let holds = [hold(activity, .likely, 0, 3), hold(other, confidence, 1, 2)]
      return ObjectLifetime(history: story.history, pairing: story.pairing, holds: holds, intruder: nil).timing.name
    }
    #expect(timing(.function("main"), .perhaps) == "unknown")
    #expect(timing(.function("main"), .likely) == "on time")
    #expect(timing(.reference, .perhaps) == "on time")
  }

  @Test("An unowned read that only the post made valid is a near miss")
  func nearMiss() throws {
    let diagnosis = try diagnose { stream in
      open(&stream)
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
      stream.add(Self.unownedStrong, 0x5000, count: 2, at: [0x1002, 0x2101, 0x1301])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1309])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
    }
    #expect(diagnosis.findings.map(\.kind) == [.nearMiss, .lateDeallocation])
    #expect(diagnosis.findings[0].place(.access)?.event.sequence == 6)
    #expect(diagnosis.findings[0].sender?.property?.name == "target")
  }

  /// A method of the monitor messages the panel after its end. `place` is where in which object its address was then.
  private func messaged(_ place: (object: UInt64, offset: UInt64)?) throws -> Finding {
    let diagnosis = try diagnose { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105, 0x1401], time: 1030, arguments: [1, 0])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x1205], time: 1040)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x1205])
      let (how, found) = place.map { (1 | $0.offset << 16, $0.object + $0.offset) } ?? (1, 0)
      stream.add(Self.useAfterFree, 0x5000, at: [0x1003, 0x1304], time: 1050, arguments: [how, 0x1400, found])
    }
    return try #require(diagnosis.findings.first)
  }

  @Test("A message to a freed object is attributed to the object of the function's class that referred to it")
  func sender() throws {
    let finding = try messaged((0xA000, 16))
    #expect(finding.kind == .useAfterFree && finding.object.description == "Panel#1")
    #expect(finding.sender?.object?.description == "Monitor#1")
    #expect(
      finding.sender?.property == StoredProperty(name: "target", strength: .unownedUnsafe, typeNames: ["App.Panel"]))
    #expect(finding.lifetime?.timing.name == "too early")
  }

  @Test("Where no such object is known to have referred to it, its property only may have been used")
  func unknownReference() throws {
    for place in [nil, (0x9000, 16)] as [(UInt64, UInt64)?] {
      let finding = try messaged(place)
      #expect(finding.sender?.object?.description == "Monitor#1" && finding.sender?.property == nil)
      #expect(finding.possibleReference?.property?.name == "target")
    }
  }

  @Test("A lifetime with a missing event reports the gap and is not complete")
  func gap() throws {
    let diagnosis = try diagnose { stream in
      open(&stream)
      stream.add(Self.release, 0x5000, count: 3, at: [0x1002, 0x2101, 0x1205], time: 1060)
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
    }
    let lifetime = try #require(diagnosis.lifetimes.first)
    #expect(lifetime.gaps == 2 && !lifetime.isComplete)
  }

  /// The only holder of a panel that is allocated and released at the given places.
  private func holder(allocated: [UInt64], released: [UInt64]) throws -> Hold {
    let diagnosis = try diagnose { stream in
      stream.add(Self.allocate, 0x5000, at: allocated, time: 1030, arguments: [1, 0])
      stream.add(Self.release, 0x5000, count: 0, at: released, time: 1040)
      stream.add(Self.free, 0x5000, at: released)
      stream.add(Self.useAfterFree, 0x5000, at: [0x1003, 0x1304], time: 1050, arguments: [1, 0x1400, 56])
    }
    return try #require(diagnosis.findings.first?.lifetime?.holds.first)
  }

  @Test("A reference that an initializer takes and does not store is held by that call, not by an owner")
  func argument() throws {
    let hold = try holder(allocated: [0x1001, 0x1105, 0x1401], released: [0x1001, 0x1108, 0x1901])
    #expect(hold.holder == .function("Label.init(_:)") && hold.confidence == .likely)
  }

  @Test("An inlined standard library function is not an owner")
  func inlined() throws {
    let hold = try holder(allocated: [0x1001, 0x1105, 0x1401], released: [0x1001, 0x1208, 0x1A01])
    #expect(
      hold.holder
        == .property(className: "App.Window", property: "panel", instance: ObjectID(className: "App.Window", number: 1))
        || hold.holder == .reference)
  }

  @Test("An object that a method creates and does not return is not a local variable of the method's caller")
  func stored() throws {
    let hold = try holder(allocated: [0x1001, 0x1105, 0x1B01, 0x1401], released: [0x1001, 0x1109])
    #expect(hold.holder.isOwner && hold.confidence == .perhaps)
    let returned = try holder(allocated: [0x1001, 0x1105, 0x1701, 0x1401], released: [0x1001, 0x1109])
    #expect(returned.holder.isOwner, "according to its name it returns nothing")
    let own = try holder(allocated: [0x1001, 0x1105, 0x1401], released: [0x1001, 0x1109])
    #expect(own.holder == .function("open()"))
  }

  @Test("The holders of an object are known at any event")
  func holders() throws {
    let diagnosis = try diagnose { stream in
      open(&stream)
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x2101, 0x1205])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x2150], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x2150])
    }
    let lifetime = try #require(diagnosis.lifetimes.first)
    func sorts(_ sequence: UInt64) -> [Bool] { lifetime.holders(at: sequence).map(\.holder.isOwner) }
    #expect(sorts(2) == [])
    #expect(sorts(3) == [true])
    #expect(sorts(4) == [true, true], "the window, and the registration of the observer")
    #expect(sorts(5) == [false])
    #expect(sorts(6) == [])
  }
}

struct StoryError: Error {}
