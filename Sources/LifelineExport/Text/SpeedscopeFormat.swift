import LifelineLifetimes
import LifelineReporting

/// A file for https://www.speedscope.app, with one profile for each metric that is not zero everywhere.
///
/// Written from its published schema, https://www.speedscope.app/file-format-schema.json. The document is written piece
/// by piece, so it is never whole in memory.
public struct SpeedscopeFormat {
  private let metrics: [ProfileMetric]
  private let startsWithClass: Bool

  public init(metrics: [ProfileMetric] = ProfileMetric.allCases, startsWithClass: Bool) {
    self.metrics = metrics
    self.startsWithClass = startsWithClass
  }

  /// - Throws: `Errno` if writing fails.
  public func write(_ profile: CallProfile, name: String, exporter: String, to sink: ByteSink) throws {
    try sink.write("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[")
    for (index, frame) in profile.tree.frames.enumerated() {
      try sink.write((index == 0 ? "\n" : ",\n") + Self.text(frame))
    }
    let first = profile.tree.frames.count
    if startsWithClass {
      for index in profile.classes.indices {
        let divider = first + index == 0 ? "\n" : ",\n"
        try sink.write("\(divider){\"name\":\(JSONText.quoted(ExportName.clean(profile.className(index))))}")
      }
    }
    try sink.write("\n]},\"profiles\":[")
    let total = profile.total
    var shown = metrics.filter { total[$0] > 0 }
    if shown.isEmpty, let fallback = metrics.first { shown = [fallback] }
    for (index, metric) in shown.enumerated() {
      try sink.write(index == 0 ? "\n" : ",\n")
      try write(metric, profile, firstClass: first, to: sink)
    }
    try sink.write(
      "\n],\"name\":\(JSONText.quoted(ExportName.clean(name))),\"activeProfileIndex\":0,"
        + "\"exporter\":\(JSONText.quoted(exporter))}\n"
    )
    try sink.flush()
  }

  private func write(_ metric: ProfileMetric, _ profile: CallProfile, firstClass: Int, to sink: ByteSink) throws {
    let samples = profile.samples.filter { $0.cost[metric] > 0 }
    let end = samples.reduce(0) { $0 + $1.cost[metric] }
    let unit = metric.isBytes ? "bytes" : "none"
    try sink.write(
      "{\"type\":\"sampled\",\"name\":\"\(metric.rawValue)\",\"unit\":\"\(unit)\",\"startValue\":0,"
        + "\"endValue\":\(end),\"samples\":["
    )
    for (index, sample) in samples.enumerated() {
      var path = profile.tree.path(sample.node).reversed().map(String.init)
      if startsWithClass { path.insert(String(firstClass + sample.classIndex), at: 0) }
      try sink.write("\(index == 0 ? "" : ",")[\(path.joined(separator: ","))]")
    }
    try sink.write("],\"weights\":[")
    for (index, sample) in samples.enumerated() { try sink.write("\(index == 0 ? "" : ",")\(sample.cost[metric])") }
    try sink.write("]}")
  }

  private static func text(_ frame: CallFrame) -> String {
    var text = "{\"name\":\(JSONText.quoted(ExportName.clean(frame.function)))"
    if let file = frame.file { text += ",\"file\":\(JSONText.quoted(ExportName.clean(file)))" }
    if let line = frame.line { text += ",\"line\":\(line)" }
    return text + "}"
  }
}
