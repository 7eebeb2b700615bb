import LifelineTrace

/// Finds the test in which a backtrace was taken, if it shows that.
///
/// A backtrace is searched from its outermost frame: what a test calls belongs to the test, and so does a closure that
/// is written in it, whatever runs it: a task, a queue, a thread. `setUp()` and `tearDown()` of an XCTest case or of
/// its class, and the initializer of a suite of Swift Testing, count as tests, too: a backtrace does not show for which
/// test they are called. Each call site is named once.
struct TestFinder {
  private enum Place: Equatable {
    case outside
    /// Inside the function that @Test makes, which calls the test's own.
    case aroundTest
    /// Inside XCTest's code for a test case, which calls the test and what prepares it.
    case aroundCase
    case inside(String)
  }

  private let names: any CodeNaming
  private var places: [BacktraceID: Place] = [.empty: .outside]
  private var frames: [UInt64: [CodeFrame]] = [:]

  init(names: any CodeNaming) { self.names = names }

  /// The test, "SessionTests.testClosing()" or "closingWhileLoading()".
  mutating func test(of backtrace: BacktraceID, in table: BacktraceTable) -> String? {
    if case .inside(let name) = place(of: backtrace, in: table) { return name }
    return nil
  }

  /// The tests of several backtraces: that of `first`, and the others by name.
  mutating func tests(of backtraces: Set<BacktraceID>, first: BacktraceID?, in table: BacktraceTable) -> [String] {
    var found: Set<String> = []
    for backtrace in backtraces { test(of: backtrace, in: table).map { _ = found.insert($0) } }
    let own = first.flatMap { test(of: $0, in: table) }
    return [own].compactMap { $0 } + found.filter { $0 != own }.sorted()
  }

  private mutating func place(of backtrace: BacktraceID, in table: BacktraceTable) -> Place {
    var unknown: [BacktraceID] = []
    var next = backtrace
    while places[next] == nil {
      unknown.append(next)
      next = table.caller(of: next)
    }
    var place = places[next] ?? .outside
    for id in unknown.reversed() {
      if let site = table.innermost(of: id), site.isFrame { place = step(from: place, into: frames(at: site)) }
      places[id] = place
    }
    return place
  }

  private mutating func frames(at site: BacktraceEntry) -> [CodeFrame] {
    if let known = frames[site.word] { return known }
    let found = names.frames(of: [site])
    frames[site.word] = found
    return found
  }

  private func step(from outer: Place, into frames: [CodeFrame]) -> Place {
    frames.reversed().reduce(outer) { place, frame in
      if case .inside = place { return place }
      guard !frame.isSystem else { return frame.isAroundCase ? .aroundCase : place }
      if frame.isTestWrapper { return .aroundTest }
      if place == .aroundTest { return frame.isMacroExpansion ? place : .inside(frame.testName) }
      if frame.isXCTest || place == .aroundCase && frame.isPreparation { return .inside(frame.function) }
      return testAround(frame).map { .inside($0) } ?? place
    }
  }

  /// The test in which a closure is written.
  private func testAround(_ closure: CodeFrame) -> String? {
    guard closure.image.hasSuffix(".xctest"), closure.function.contains("closure #"),
      let end = closure.function.ranges(of: " in ").last?.upperBound
    else { return nil }
    let around = CodeFrame(function: String(closure.function[end...]), image: closure.image)
    let name = around.function.prefix { $0 != "(" }
    return around.isXCTest || names.testFunctions.contains(String(name)) ? around.function : nil
  }
}

extension CodeFrame {
  /// Swift Testing: @Test makes a function around the test, whose mangled name has the macro's ("4Test") and "fMp", a
  /// peer macro's expansion (docs/ABI/Mangling.rst of the Swift project). What else it makes evaluates the arguments of
  /// @Test.
  public var isTestWrapper: Bool {
    guard let mangledName, let macro = mangledName.firstRange(of: "4TestfMp_") else { return false }
    let kind = mangledName[macro.upperBound...].drop(while: \.isNumber)
    return !["accessor", "generator", "testContentRecord"].contains(where: kind.hasPrefix)
  }

  /// XCTest: a method test… of a class, in a bundle; it takes no arguments.
  public var isXCTest: Bool {
    let parts = function.split(separator: ".", maxSplits: 1)
    return image.hasSuffix(".xctest") && parts.count == 2 && parts[1].hasPrefix("test") && parts[1].hasSuffix("()")
      && !parts[0].contains(" ")
  }

  /// "SessionTests.init()": a suite's initializer as in the source.
  public var testName: String { function.replacing(".__allocating_init(", with: ".init(") }

  /// XCTest's code for a case or its class, which calls what is asynchronous in closures and in tasks of their own.
  public var isAroundCase: Bool {
    let method = function.firstRange(of: " in ").map { function[$0.upperBound...] } ?? function[...]
    return method.hasPrefix("XCTestCase.") || method.hasPrefix("XCTestCaseSuite.")
  }

  /// What XCTest calls before or after each test, or before the first and after the last, if it calls it.
  public var isPreparation: Bool {
    let method = function.split(separator: ".").last ?? ""
    return !function.trimmingPrefix("static ").contains(" ")
      && ["setUp()", "setUpWithError()", "tearDown()", "tearDownWithError()"].contains(method)
  }

  var isMacroExpansion: Bool { function.contains("macro expansion #") }
}
