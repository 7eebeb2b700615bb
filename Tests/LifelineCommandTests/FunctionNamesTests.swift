import LifelineReporting
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct FunctionNamesTests {
  @Test("The innermost calls give the same function names as the whole backtrace")
  func beginnings() throws {
    try withTemporaryFolder { folder in
      let program = BuiltPackage.buildFolder.appendingPathComponent("lifeline-workloads").path
      let command = ["record", "-q", "--all-classes", "-o", "trace", program, "mixed", "--count", "300"]
      try #expect(lifeline(command, in: folder).status == 0)
      let trace = try Trace(path: "\(folder)/trace")
      let names = Names(trace)
      let functions = FunctionNames(names)
      let events = trace.events()
      var backtraces = BacktraceTable()
      var seen: Set<BacktraceID> = []
      var shortened = 0
      var event = Event()
      while seen.count < 400, try events.next(&event) {
        let id = events.intern(into: &backtraces)
        guard seen.insert(id).inserted else { continue }
        let calls = backtraces.entries(id)
        for name in ["Treap", "Node", "Entry"] {
          #expect(functions.allocator(calls, of: name) == names.allocator(calls, of: name))
        }
        guard let end = calls.firstIndex(where: functions.tellsCaller) else { continue }
        if end < calls.count - 1 { shortened += 1 }
        #expect(names.caller(Array(calls.prefix(end + 1))) == names.caller(calls))
      }
      #expect(seen.count > 100 && shortened > 100)
    }
  }
}
