import LifelineReporting
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct ThreadNameTests {
  @Test("A thread's name is shown unless it is the program's, which threads inherit")
  func names() throws {
    var builder = TraceBuilder()
    builder.addThread(2, name: "app")
    builder.addThread(3, name: "loader")
    builder.addThread(4, name: "")
    let names = try builder.withFile { path in
      let names = try Names(Trace(path: path))
      return (1...4).map { names.name(thread: UInt32($0)) }
    }
    #expect(names == ["main thread", "thread 2", "thread 3 (loader)", "thread 4"])
  }
}
