import ArgumentParser
import Glibc
import LifelineLifetimes
import LifelineRecording
import LifelineTrace

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Reports what the probe can see on this machine, and why.",
    discussion: "Exits with 0, or 3 when nothing could be recorded.")

  @Argument(help: "The program to examine.")
  var program: String?

  func run() throws {
    var lines: [String] = []
    var works = true
    func line(_ good: Bool, _ text: String) {
      lines.append("\(good ? "ok " : "NO ") \(text)")
      if !good { works = false }
    }
    var system = utsname()
    uname(&system)
    let machine = withUnsafeBytes(of: system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let kernel = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    line(machine == "x86_64", "Linux \(kernel) on \(machine), \(libraryVersion)")
    do {
      line(true, "probe \(try ProbeLocator().locate())")
      try selfTest(line)
    } catch { line(false, "\(error)") }
    if let program { try inspect(program, line) }
    Console.printWrapped(lines.joined(separator: "\n") + "\n")
    if !works { throw ExitStatus.noVerdict }
  }

  /// "glibc 2.36".
  private var libraryVersion: String {
    var text = [CChar](repeating: 0, count: 64)
    confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Records this executable itself, a Swift program, doing a known amount of work.
  private func selfTest(_ line: (Bool, String) -> Void) throws {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    var options = RecordingOptions()
    options.output = "\(folder.path)/self.lifeline"
    options.only = ["*\(SelfTest.className)"]
    options.quiet = true
    let result = try Recorder(options: options).record(
      "/proc/self/exe", arguments: ProgramArguments(["lifeline", SelfTest.argument]))
    guard let path = result.trace else { return line(false, result.reason ?? "the self-test wrote no trace") }
    let trace = try Trace(path: path)
    let summary = try LifetimeSummary(trace)
    line(true, "runtime \(trace.tables.runtimePath)")
    let active = trace.tables.detours.filter { $0.status == .active }.count
    line(active > 0, "\(active) of \(trace.tables.detours.count) entry points of the runtime are visible")
    for detour in trace.tables.detours where detour.status != .active {
      line(
        true,
        "   not \(detour.entryPoint): "
          + "\(detour.status == .missing ? "this runtime has none" : "its code has an unknown form")"
      )
    }
    let seen = summary.tracker.classes.first
    let expected = SelfTest.objects
    line(
      seen?.allocated == expected && seen?.freed == expected,
      "self-test: \(seen?.allocated ?? 0) of \(expected) allocations and \(seen?.freed ?? 0) of "
        + "\(expected) frees were seen"
    )
  }

  private func inspect(_ program: String, _ line: (Bool, String) -> Void) throws {
    do {
      let inspection = try ProgramInspection(program: program)
      if let obstacle = inspection.obstacle { return line(false, obstacle) }
      switch inspection.runtime {
      case .shared: line(true, "\(inspection.path) loads libswiftCore.so: it can be recorded")
      case .inside: line(true, "\(inspection.path) has the runtime and its symbols linked in: it can be recorded")
      case .insideStripped, .unknown:
        line(
          false,
          "\(inspection.path) does not link the Swift runtime; Lifeline cannot tell here whether one of its "
            + "libraries loads it later"
        )
      }
    } catch { line(false, "\(error)") }
  }
}
