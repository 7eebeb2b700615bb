import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineAnalysis

/// Which function created an object: what it retains afterwards was its own.
@Suite struct CreatorTests {
  @Test(
    "The creator is the caller of a value's initializer and of a static function of the object's class",
    arguments: [
      (allocation: [0x1101], isCreator: true), ([0x1101, 0x1301], true), ([0x1101, 0x1401, 0x1301], true),
      ([0x1101, 0x1501, 0x1401, 0x1301], true), ([0x1101, 0x1601, 0x1701, 0x1301], false),
    ] as [(allocation: [UInt64], isCreator: Bool)])
  func creator(_ allocation: [UInt64], isCreator: Bool) throws {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "Group.stop()")
    names.add(0x13, "Storage.init(_:)")
    names.add(0x14, "static Storage.create(_:)")
    names.add(0x15, "LockedBox.init(_:)")
    names.add(0x16, "Panel.init()")
    names.add(0x17, "makeStorage()")
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Storage<Swift.Int>")
    builder.addClass(2, "App.Panel")
    builder.addEvents { stream in
      stream.add(3, 0x5000, at: [0x1001] + allocation, time: 1010, arguments: [1, 0])
    }
    try builder.withFile { path in
      var backtraces = BacktraceTable()
      let birth = backtraces.intern(([0x1001] + allocation).reversed().map(BacktraceEntry.init(returnAddress:)))
      let retain = backtraces.intern([0x1109, 0x1001].map(BacktraceEntry.init(returnAddress:)))
      let sites = CallSiteTable(backtraces, try Trace(path: path).tables, names: names, rules: HoldRules())
      #expect(sites.isCreator("Group.stop()", retain, of: birth, "Storage<Int>") == isCreator)
    }
  }

  @Test(
    "An inherited convenience initializer is not what allocated an object, but its superclass's own initializer may be",
    arguments: [("Panel.__allocating_init(title:)", "show()"), ("Panel.init()", "Panel.init()")])
  func inherited(_ initializer: String, _ allocator: String) throws {
    var names = SampleNames()
    names.add(0x11, "Dialog.__allocating_init(_:)")
    names.add(0x12, initializer)
    names.add(0x13, "show()")
    names.superclasses = ["App.Dialog": "App.Window", "App.Window": "App.Panel"]
    var builder = TraceBuilder()
    builder.addClass(1, "App.Dialog")
    try builder.withFile { path in
      var backtraces = BacktraceTable()
      let birth = backtraces.intern([0x1109, 0x1201, 0x1301].map(BacktraceEntry.init(returnAddress:)))
      let sites = CallSiteTable(backtraces, try Trace(path: path).tables, names: names, rules: HoldRules())
      #expect(sites.allocator(birth, of: "Dialog") == allocator)
    }
  }
}
