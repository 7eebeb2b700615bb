import LifelineTrace

/// One process of a recorded run, as described by its trace.
struct RecordedProcess: Sendable, Equatable {
  /// Path of the trace.
  let trace: String
  let process: Int
  let parent: Int
  /// Nanoseconds since 1970.
  let startTime: UInt64
  /// Path of the executable.
  let program: String
  /// File names of its loaded libraries.
  let libraries: Set<String>

  init(trace: String, process: Int, parent: Int, startTime: UInt64, program: String, libraries: Set<String> = []) {
    self.trace = trace
    self.process = process
    self.parent = parent
    self.startTime = startTime
    self.program = program
    self.libraries = libraries
  }

  /// An unreadable trace names no program and stays in the run, so that the report says so.
  init(path: String, recording: Recording) {
    let tables = try? Trace(path: path).tables
    self.init(
      trace: path, process: recording.process, parent: recording.parent, startTime: recording.startTime,
      program: tables?.programPath ?? "", libraries: Set(tables?.images.map(\.name) ?? []))
  }

  /// Test products of SwiftPM: of its own build system, and of Swift Build.
  var isTestProduct: Bool { program.hasSuffix(".xctest") || program.hasSuffix("-test-runner") }

  /// A package's manifest or plugin, which SwiftPM compiles and runs.
  var isPackageProgram: Bool {
    libraries.contains("libPackageDescription.so") || libraries.contains("libPackagePlugin.so")
  }
}
