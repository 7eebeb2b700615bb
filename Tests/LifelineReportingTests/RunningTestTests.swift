import Testing

@testable import LifelineReporting

@Suite struct RunningTestTests {
  private func frame(
    _ function: String, _ mangled: String = "", file: String? = nil, image: String = "AppTests.xctest",
    isSystem: Bool = false
  ) -> Report.Frame {
    var frame = SampleReport.frame(function, file, file == nil ? nil : 6, image: image, isSystem: isSystem)
    frame.mangledName = mangled
    return frame
  }

  private func backtrace(_ frames: [Report.Frame]) -> Report.Backtrace {
    SampleReport.backtrace("access", event: 1, frames)
  }

  private let macro = "freestanding macro expansion #1 of expect in module ReaderTests file swift line 6 column 36"

  @Test("A Swift Testing test is the function called by the wrapper that @Test generates")
  func swiftTesting() {
    let frames = [
      frame("Feed.load()", "$s6Reader4FeedC4loadyyF"), frame(macro, file: "/tmp/@__swiftmacro_11ReaderTests.swift"),
      frame("closing()", "$s11ReaderTests7closingyyF", file: "/t/SessionTests.swift"),
      frame(
        "wrapper", "$s11ReaderTests04$s11A58Tests7closing4TestfMp_17Z7478c3e6a747ef53fMu_33_401C79006124B862990982EFF"),
    ]
    #expect(backtrace(frames).test == "closing()")
    #expect(backtrace(Array(frames.dropLast())).test == nil, "after a suspension the wrapper is not on the stack")
  }

  @Test("What a suite's initializer does for a test is named as in the source")
  func suite() {
    let frames = [
      frame("SessionTests.__allocating_init()", "$s11ReaderTests07SessionB0CACycfC"),
      frame(
        "wrapper", "$s11ReaderTests04$s11A58Tests7closing4TestfMp_17Z7478c3e6a747ef53fMu_33_401C79006124B862990982EFF"),
    ]
    #expect(backtrace(frames).test == "SessionTests.init()")
  }

  @Test("An XCTest test is a method test… of a class in a test bundle")
  func xctest() {
    #expect(
      backtrace([frame("Feed.load()"), frame("OldTests.testClosing()"), frame("Runner.main()")]).test
        == "OldTests.testClosing()")
    #expect(backtrace([frame("implicit closure #1 in OldTests.testClosing()")]).test == nil)
    #expect(backtrace([frame("Device.testSignal()", image: "App")]).test == nil)
    #expect(backtrace([frame("testSignal()")]).test == nil)
    #expect(backtrace([frame("Application.test(_:_:)")]).test == nil, "a test takes no arguments")
  }

  @Test("What XCTest calls before or after a test is named, but no other function of that name")
  func preparation() {
    let closure = "closure #1 in XCTestCase.performSetUpSequence()"
    let around = frame(closure, image: "libXCTest.so", isSystem: true)
    #expect(backtrace([frame("Feed.load()"), frame("OldTests.setUp()"), around]).test == "OldTests.setUp()")
    #expect(backtrace([frame("static OldTests.tearDown()"), around]).test == "static OldTests.tearDown()")
    #expect(backtrace([frame("Feed.load()"), frame("Feed.setUp()")]).test == nil)
    #expect(backtrace([around, frame("Feed.setUp()")]).test == nil)
  }

  @Test("Code from a macro is never a finding's place, and its line numbers are in no fingerprint")
  func macros() {
    let inMacro = backtrace([
      frame(macro, file: "/tmp/@__swiftmacro_11ReaderTests.swift"), frame("closing()", file: "/t/SessionTests.swift"),
    ])
    #expect(inMacro.location == "SessionTests.swift:6" && inMacro.responsible?.function == "closing()")
    #expect(Fingerprint.function(inMacro, className: "App.Node") == "closing()")
  }

  @Test("What the setter of an @Observable class stores through a library has the line of the setter's caller")
  func observed() {
    let setter = "partial apply for closure #1 in Folder.parent.setter"
    let stored = [
      SampleReport.frame("closure #1 in Folder.parent.setter", "/tmp/@__swiftmacro_3App6FolderC6parent.swift", 10),
      SampleReport.frame(setter),
      SampleReport.frame("ObservationRegistrar.withMutation(of:keyPath:_:)", isSystem: true),
      SampleReport.frame("Folder.add(_:)", "/a/Folder.swift", 12),
    ]
    let backtrace = SampleReport.backtrace("retain", event: 3, stored)
    #expect(backtrace.statedPlace == "called at Folder.swift:12")
    var other = stored
    other[1].function = "closure #1 in Folder.add(_:)"
    #expect(SampleReport.backtrace("retain", event: 3, other).location == nil, "a library may call it at any time")
  }

  @Test("A line that may be that of another statement is stated as near")
  func near() {
    var frames = [SampleReport.frame("Tree.add(_:)", "/a/Tree.swift", 14)]
    #expect(SampleReport.backtrace("retain", event: 3, frames).statedPlace == "Tree.swift:14")
    frames[0].isNear = true
    #expect(SampleReport.backtrace("retain", event: 3, frames).statedPlace == "near Tree.swift:14")
  }

  @Test("The test is named in every format")
  func formats() throws {
    var finding = SampleReport.finding()
    finding.test = "OldTests.testClosing()"
    let report = SampleReport.report([finding])
    for text in [
      TextFormat().render(report), JUnitFormat().render(report), GitHubFormat().render(report),
      try SARIFFormat().render(report),
    ] { #expect(text.contains("In the test OldTests.testClosing().")) }
    #expect(MarkdownFormat().render(report).contains("In the test OldTests.testClosing\\(\\)."))
  }

  @Test(
    "A finding of several tests names them, or the first three of many, in every format",
    arguments: [
      (["a()", "b()"], "In the tests a() and b()."),
      (["a()", "b()", "c()", "d()"], "In the tests a(), b(), c() and d()."),
      (["a()", "b()", "c()", "d()", "e()"], "In the tests a(), b(), c() and 2 more."),
    ])
  func severalTests(_ tests: [String], _ sentence: String) throws {
    var finding = SampleReport.finding()
    (finding.test, finding.tests) = (tests[0], tests)
    let report = SampleReport.report([finding])
    for text in [
      TextFormat().render(report), JUnitFormat().render(report), GitHubFormat().render(report),
      try SARIFFormat().render(report),
    ] { #expect(text.contains(sentence)) }
    let rows = report.counting([]).tests ?? []
    #expect(rows.map(\.name) == tests.sorted() && rows.allSatisfy { $0.findings == 1 }, "each test's row counts it")
  }
}
