import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

/// Protobuf exports, read by the tools they are made for.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ExportedProtobufTests {
  private func export(_ format: String, _ arguments: String..., in folder: String) throws {
    let result = try lifeline(["export", "app.lifeline", "--format", format, "-o", "exported"] + arguments, in: folder)
    #expect(result == CommandResult(output: "", errors: "", status: 0))
  }

  @Test("go tool pprof shows allocations, live objects, retains and classes", .needs(.go))
  func pprof() throws {
    try ExportTests.withSample { folder in
      try export("pprof", in: folder)
      func pprof(_ arguments: String...) throws -> String {
        let result = try TestTool.go.run(
          ["tool", "pprof"] + arguments + ["exported"], environment: ["HOME": folder], folder: folder)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
      }
      try #expect(
        pprof("-top", "-sample_index=allocations").contains("       100   100%   100%        100   100%  0x1f\n"))
      try #expect(pprof("-top", "-sample_index=live").contains("        50   100%   100%         50   100%  0x1f\n"))
      try #expect(
        pprof("-top", "-sample_index=live-bytes").contains("    1.56kB   100%   100%     1.56kB   100%  0x1f\n"))
      try #expect(
        pprof("-top", "-sample_index=releases").contains("       100 66.67% 66.67%        100 66.67%  0x30\n"))
      try #expect(pprof("-tags").contains("       100.0 (  100%): App.Node"))
      try #expect(
        pprof("-raw").contains(
          """
          allocations/count[dflt] bytes/bytes live/count live-bytes/bytes retains/count releases/count \
          avoidable/count late/count
                  100       3200         50       1600          0          0          0          0: 1 2 
                          class:[App.Node]
          """))
    }
  }

  @Test("go tool pprof accepts hostile names as displayed", .needs(.go))
  func hostileNames() throws {
    try ExportTests.withSample(name: ExportTests.hostile) { folder in
      try export("pprof", in: folder)
      let result = try TestTool.go.run(
        ["tool", "pprof", "-tags", "exported"], environment: ["HOME": folder], folder: folder)
      #expect(
        result.status == 0
          && result.output.contains("App.\"Quote\";DROP TABLE objects;--\u{FFFD}=cmd()|\u{FFFD}[31m\u{FFFD}longlong"))
    }
  }

  /// Prints how Perfetto's message definitions parse a trace, including unknown fields.
  private static let reader = """
    import sys
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as p
    from google.protobuf import unknown_fields
    def unknown(m):
        if len(unknown_fields.UnknownFieldSet(m)): print('UNKNOWN in', m.DESCRIPTOR.name)
        for f, v in m.ListFields():
            if f.message_type: [unknown(x) for x in (v if f.is_repeated else [v])]
    t = p.Trace()
    t.ParseFromString(open(sys.argv[1], 'rb').read())
    unknown(t)
    names = {}
    for k in t.packet:
        if k.HasField('track_descriptor'):
            d = k.track_descriptor
            names[d.uuid] = d.name or d.thread.thread_name or d.process.process_name
            print('track', names[d.uuid], 'in', names.get(d.parent_uuid, '-'))
        else:
            e = k.track_event
            value = e.counter_value if e.type == 4 else ', '.join([e.name] \
    + ['%s: %s' % (a.name, a.string_value) for a in e.debug_annotations])
            if not names[e.track_uuid].startswith('live'): \
    print(k.timestamp, p.TrackEvent.Type.Name(e.type)[5:].lower(), 'on', names[e.track_uuid] + ':', value, *e.flow_ids)
    """

  @Test("Perfetto's message definitions know every field of an object's life, holders and count", .needs(.perfetto))
  func perfetto() throws {
    try ExportTests.withSample { folder in
      try export("perfetto", "--limit", "1", in: folder)
      let result = try TestTool.perfetto.run(["-c", Self.reader, "exported"], folder: folder)
      #expect(result.errors == "")
      #expect(
        result.output == """
          track /bin/app in -
          track main thread in -
          track thread 2 (worker\u{FFFD};") in -
          track Live objects in /bin/app
          track live App.Node in Live objects
          track Objects in /bin/app
          track Node#1 in Objects
          10 slice_begin on Node#1: Node#1, class: App.Node, died: on time, allocated by: 0x1f
          50 slice_begin on Node#1: deinit
          51 slice_end on Node#1: 
          51 slice_end on Node#1: 
          track holders 1 in Node#1
          10 slice_begin on holders 1: 0x1f, retained by: 0x1f, released by: nothing recorded, \
          certainty: likely
          51 slice_end on holders 1: 
          track holders 2 in Node#1
          10 slice_begin on holders 2: 0x2f, retained by: 0x2f, released by: nothing recorded, \
          certainty: likely
          51 slice_end on holders 2: 
          track strong count in Node#1
          10 counter on strong count: 1
          10 counter on strong count: 2
          10 counter on strong count: 1
          50 counter on strong count: 0

          """)
    }
  }

  @Test("A finding's places are instants on their threads, connected by a flow", .needs(.perfetto))
  func findings() throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Examples/DelayedDeallocation.swift"), encoding: .utf8)
    let program = try TestProgram(
      source, options: ["-g", "-Onone", "-module-name", "App"], file: "DelayedDeallocation.swift")
    try withTemporaryFolder { folder in
      try #expect(
        lifeline(["record", "-q", "--zombies", "-o", "app.lifeline", "--", program.path], in: folder).status == 0)
      try export("perfetto", in: folder)
      let text = try TestTool.perfetto.run(["-c", Self.reader, "exported"], folder: folder).output
      #expect(!text.contains("UNKNOWN"))
      for role in ["allocation", "final-release", "deallocation", "access"] {
        #expect(
          text.contains(
            " instant on main thread: use-after-free: \(role) of DetailViewController#1, finding: "
              + "DetailViewController#1 was messaged "
          ))
      }
      #expect(text.contains(" slice_begin on holders 2: NotificationCenter.post(name:object:), retained by: "))
      #expect(text.contains("track FetchedResultsController#1 in Objects\n"))
    }
  }
}
