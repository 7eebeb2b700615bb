import LifelineLifetimes
import LifelineReporting
import LifelineTrace
import SwiftProtobuf

/// A profile for `go tool pprof` and services that read its format, which may be compressed but is not here.
///
/// Its strings, functions and samples are written in parts: the fields of concatenated protobuf messages are those of
/// one message, so the whole profile is never in memory.
public struct PprofFormat {
  /// The default of `go tool pprof`.
  private static let usual = "allocations"
  private static let piece = 2048
  private let trace: Trace
  private let hasLate: Bool

  /// With `hasLate` there is a column for objects that outlived their last owner.
  public init(_ trace: Trace, hasLate: Bool) {
    self.trace = trace
    self.hasLate = hasLate
  }

  /// - Throws: `Errno` if writing fails.
  public func write(_ profile: CallProfile, to sink: ByteSink) throws {
    var strings = StringList()
    try sink.write(header(&strings).serializedBytes() as [UInt8])
    try write(strings.takeNew(), to: sink)
    try writeFrames(profile.tree.frames, &strings, to: sink)
    let tests = CallTests(profile.tree)
    var message = Lifeline_Pprof_Profile()
    for sample in profile.samples {
      var entry = Lifeline_Pprof_Sample()
      entry.locationID = profile.tree.path(sample.node).map { UInt64($0 + 1) }
      entry.value = ProfileMetric.allCases.map { Int64(sample.cost[$0]) } + (hasLate ? [Int64(sample.late)] : [])
      entry.label = [Self.label("class", profile.className(sample.classIndex), &strings)]
      if let test = tests.test(of: sample.node) { entry.label.append(Self.label("test", test, &strings)) }
      message.sample.append(entry)
      if message.sample.count == Self.piece {
        message.stringTable = strings.takeNew()
        try sink.write(message.serializedBytes() as [UInt8])
        message = Lifeline_Pprof_Profile()
      }
    }
    message.stringTable = strings.takeNew()
    try sink.write(message.serializedBytes() as [UInt8])
    try sink.flush()
  }

  private static func label(_ key: String, _ value: String, _ strings: inout StringList) -> Lifeline_Pprof_Label {
    var label = Lifeline_Pprof_Label()
    label.key = strings.index(key)
    label.str = strings.index(ExportName.clean(value))
    return label
  }

  private func header(_ strings: inout StringList) -> Lifeline_Pprof_Profile {
    var message = Lifeline_Pprof_Profile()
    message.sampleType = ProfileMetric.allCases.map { Self.type($0.rawValue, $0.isBytes ? "bytes" : "count", &strings) }
    if hasLate { message.sampleType.append(Self.type("late", "count", &strings)) }
    message.defaultSampleType = strings.index(Self.usual)
    message.timeNanos = Int64(clamping: trace.recording.startTime)
    message.durationNanos = Int64(clamping: trace.recording.duration)
    message.comment = [strings.index(ExportName.clean("lifeline \(LifelineVersion.text): \(trace.tables.programPath)"))]
    return message
  }

  private static func type(_ name: String, _ unit: String, _ strings: inout StringList) -> Lifeline_Pprof_ValueType {
    var type = Lifeline_Pprof_ValueType()
    type.type = strings.index(name)
    type.unit = strings.index(unit)
    return type
  }

  /// A location for each frame, with one line, since inlined functions are separate frames.
  private func writeFrames(_ frames: [CallFrame], _ strings: inout StringList, to sink: ByteSink) throws {
    let buildIDs = Dictionary(
      trace.tables.images.map { ($0.name, $0.buildID) }, uniquingKeysWith: { first, _ in first })
    var mappings: [String: UInt64] = [:]
    var functions: [CallFrame: UInt64] = [:]
    var message = Lifeline_Pprof_Profile()
    for (index, frame) in frames.enumerated() {
      if mappings[frame.image] == nil, !frame.image.isEmpty {
        mappings[frame.image] = UInt64(mappings.count + 1)
        message.mapping.append(mapping(UInt64(mappings.count), frame.image, buildIDs[frame.image] ?? [], &strings))
      }
      let key = frame.withoutLine
      if functions[key] == nil {
        functions[key] = UInt64(functions.count + 1)
        message.function.append(function(UInt64(functions.count), frame, &strings))
      }
      var line = Lifeline_Pprof_Line()
      line.functionID = functions[key]!
      line.line = Int64(frame.line ?? 0)
      var location = Lifeline_Pprof_Location()
      location.id = UInt64(index + 1)
      location.mappingID = mappings[frame.image] ?? 0
      location.line = [line]
      message.location.append(location)
      if message.location.count == Self.piece {
        try sink.write(message.serializedBytes() as [UInt8])
        message = Lifeline_Pprof_Profile()
        try write(strings.takeNew(), to: sink)
      }
    }
    try sink.write(message.serializedBytes() as [UInt8])
    try write(strings.takeNew(), to: sink)
  }

  private func mapping(_ id: UInt64, _ image: String, _ buildID: [UInt8], _ strings: inout StringList)
    -> Lifeline_Pprof_Mapping
  {
    var mapping = Lifeline_Pprof_Mapping()
    mapping.id = id
    mapping.filename = strings.index(ExportName.clean(image))
    mapping.buildID = strings.index(buildID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    // Nothing needs to be looked up.
    mapping.hasFunctions_p = true
    mapping.hasFilenames_p = true
    mapping.hasLineNumbers_p = true
    mapping.hasInlineFrames_p = true
    return mapping
  }

  private func function(_ id: UInt64, _ frame: CallFrame, _ strings: inout StringList) -> Lifeline_Pprof_Function {
    var function = Lifeline_Pprof_Function()
    function.id = id
    function.name = strings.index(ExportName.clean(frame.function))
    function.systemName = strings.index(ExportName.clean(frame.mangledName ?? frame.function))
    function.filename = strings.index(frame.file.map(ExportName.clean) ?? "")
    return function
  }

  private func write(_ strings: [String], to sink: ByteSink) throws {
    var message = Lifeline_Pprof_Profile()
    message.stringTable = strings
    try sink.write(message.serializedBytes() as [UInt8])
  }
}
