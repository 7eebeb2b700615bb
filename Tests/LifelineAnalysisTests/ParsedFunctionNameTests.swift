@testable import LifelineAnalysis
import Testing

@Suite struct ParsedFunctionNameTests {
  @Test(
    "A function's short name gives its type and its role",
    arguments: [
      ("submit(_:)", nil, ParsedFunctionName.Role.function, false),
      ("main", nil, .function, false),
      ("Screen.load(count:)", "Screen", .function, false),
      ("Outer.Inner.load()", "Outer.Inner", .function, false),
      ("Box<App.Node>.get()", "Box<App.Node>", .function, false),
      ("static Screen.make()", "Screen", .function, false),
      ("Screen.init(frame:)", "Screen", .initializer, false),
      ("Screen.__allocating_init()", "Screen", .initializer, false),
      ("Screen.deinit", "Screen", .deinitializer, false),
      ("Screen.__deallocating_deinit", "Screen", .deinitializer, false),
      ("Screen.delegate.setter", "Screen", .accessor(property: "delegate", sets: true), false),
      ("Inspector.read()", "Inspector", .function, false),
      ("Screen.rows.modify(_:)", "Screen.rows", .function, false),
      ("Screen.rows.read", "Screen", .accessor(property: "rows", sets: false), false),
      ("Screen.delegate.getter", "Screen", .accessor(property: "delegate", sets: false), false),
      ("closure #1 in Screen.load()", "Screen", .function, true),
      ("closure #2 in closure #1 in Screen.load()", "Screen", .function, true),
      ("closure #1 in submit(_:)", nil, .function, true),
      ("closure #1 in Screen.init(frame:)", "Screen", .function, true),
      ("outlined destroy of Optional", nil, .glue, false),
      ("reabstraction thunk", nil, .glue, false),
      ("key path getter for Inspector.node", nil, .glue, false),
      ("partial apply for closure #1 in open()", nil, .glue, false),
      ("block_copy_helper.3", nil, .blockCopy, false),
      ("block_destroy_helper", nil, .contextDestroy, false),
      ("objectdestroy.12", nil, .contextDestroy, false),
      ("", nil, .function, false),
    ] as [(String, String?, ParsedFunctionName.Role, Bool)])
  func roles(_ name: String, _ typeName: String?, _ role: ParsedFunctionName.Role, _ isClosure: Bool) {
    let found = ParsedFunctionName(name)
    #expect(found.typeName == typeName)
    #expect(found.role == role)
    #expect(found.isClosure == isClosure)
  }

  @Test(
    "A mangled name gives its module",
    arguments: [
      ("$s10Foundation18NotificationCenterC4postyyF", "Foundation"), ("$sSaMa", "Swift"), ("$ss5printyyF", "Swift"),
      ("_dispatch_call_block_and_release", nil), ("$s", nil), ("$s9X", nil), ("$s99999999999999999999X", nil),
    ] as [(String, String?)])
  func modules(_ mangled: String, _ module: String?) { #expect(MangledModule.name(of: mangled) == module) }
}
