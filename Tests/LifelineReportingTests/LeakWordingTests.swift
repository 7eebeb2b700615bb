import LifelineHeap
import LifelineLifetimes
import Testing

@testable import LifelineAnalysis
@testable import LifelineReporting

@Suite struct LeakWordingTests {
  private static let item = ObjectID(className: "App.Item", number: 3)

  @Test(
    "The finding of a leak without a line says why",
    arguments: [
      (
        Leak.Doubt.Reason.cut(events: 1_234_567), Leak.Cause.cycle,
        "It is unknown where Item#3 was stored: it has so many events that 1,234,567 are left out."
      ),
      (
        .older, .memory(bytes: 16),
        "It is unknown where Item#3 was stored: it is older than the events that the recording keeps (--keep)."
      ),
      (
        .unpaired(releases: 1), .unbalanced,
        "It is unknown which reference to Item#3 was not released: 1 release of it could not be paired with a retain."
      ),
    ])
  func doubts(_ reason: Leak.Doubt.Reason, _ cause: Leak.Cause, _ sentence: String) {
    #expect(LeakWording.sentence(Leak.Doubt(object: Self.item, reason: reason), cause) == sentence)
  }

  @Test("A path names classes without long type arguments; what identifies it has them all")
  func brief() {
    #expect(PathText.brief("Kit.Box<Swift.Int>") == "Box<Swift.Int>")
    let long = "Kit.Source.Conduit<Swift.Array<Swift.String>, App.SearchError>.Inner"
    #expect(PathText.brief(long) == "Source.Conduit<…>.Inner")
    let path = PathText([
      Report.PathStep(class: long, property: "parent", kind: "property"),
      Report.PathStep(class: "App.Screen", kind: "property"),
    ])
    #expect(path.text == "Source.Conduit<…>.Inner.parent → Screen")
    #expect(path.shape == "Source.Conduit<Swift.Array<Swift.String>, App.SearchError>.Inner.parent → Screen")
    #expect(path.identity == "Source.Conduit<Swift.Array<Swift.String>, App.SearchError>.Inner.parent Screen")
  }

  @Test("Of several steps within the toolchain's libraries the first is shown, of two both")
  func libraries() {
    let model = Report.PathStep(class: "App.Model", property: "registrar", kind: "property")
    let extent = Report.PathStep(class: "Observation.Extent", property: "context", kind: "property")
    let state = Report.PathStep(class: "Observation.State", property: "header", kind: "property")
    let closure = Report.PathStep(class: "", kind: "closure", function: "closure #1 in install()")
    let own = Report.PathStep(class: "", kind: "closure", file: "/a/App.swift", line: 3)
    #expect(
      PathText([model, extent, state, model]).text
        == "Model.registrar → Extent.context → State.header → Model.registrar")
    #expect(
      PathText([model, extent, state, closure, state, model]).text
        == "Model.registrar → Extent.context → … → Model.registrar")
    #expect(PathText([model, extent, own, state, model]).text.contains("closure at App.swift:3 → State.header"))
    #expect(
      PathText([model, extent, state, closure, model]).text
        == "Model.registrar → Extent.context → State.header → closure #1 in install() → Model.registrar")
    #expect(PathText([model, extent, state, closure, model]).shape.contains("State.header → closure #1 in install()"))
  }

  @Test("What depends on a deinit, or on a handler's removal, is said apart from what is certainly freed")
  func rest() {
    func rest(_ change: LeakCut.Change, frees count: Int) -> String {
      let freed = count == 0 ? [] : [Leak.ClassCount(className: "App.Pane", count: count)]
      return LeakWording.rest(LeakCut(changes: [change], freed: freed, bytes: 96, isWhole: false), "Kit.Handler", of: 4)
    }
    let weak = LeakCut.Change.makeWeak(className: "App.Pane", property: "model")
    #expect(
      rest(weak, frees: 2)
        == "That frees 2 objects, 96 B (2 Pane). The other 2 keep each other; the deinit of Handler, "
        + "which then runs, may free them.")
    #expect(
      rest(.close(["Kit.Channel"], handlers: []), frees: 3) == "That frees 3 objects, 96 B (3 Pane). Another one keeps "
        + "itself; handlerRemoved(context:) of Handler, which then runs, may free it.")
    #expect(
      rest(.close(["Kit.Channel"], handlers: []), frees: 0)
        == "Then handlerRemoved(context:) of Handler may free what keeps itself.")
  }

  @Test("A waiting task is named by its line or, without one, by its function; one without both may have finished")
  func waiting() {
    var task = Report.PathStep(class: "(task)", kind: "task")
    #expect(PathText([task]).text == "a task")
    task.function = "closure #1 in Averager.start()"
    #expect(PathText([task]).text == "a task waiting in closure #1 in Averager.start()")
    (task.file, task.line) = ("/a/Averager.swift", 15)
    #expect(PathText([task]).text == "a task waiting at Averager.swift:15")
  }

  @Test("Where the closure to change has no line, the finding is marked where it was created")
  func created() {
    var finding = SampleReport.finding()
    finding.path = [
      Report.PathStep(
        class: "", kind: "closure", function: "closure #1 in Form.configure()", createdFile: "/a/Form.swift",
        createdLine: 20, isCut: true)
    ]
    #expect(finding.primaryFrame?.location == "Form.swift:20")
    (finding.path[0].file, finding.path[0].line) = ("/a/Form.swift", 21)
    #expect(finding.primaryFrame?.location == "Form.swift:21")
  }

  @Test("Possible lines of a leak are marked as possible")
  func perhaps() {
    let doubt = Leak.Doubt(object: Self.item, reason: .unpaired(releases: 2))
    #expect(
      LeakWording.sentence(doubt, .cycle, perhaps: ["Cart.swift:7", "Cart.swift:12"])
        == "It is unknown where Item#3 was stored, perhaps at Cart.swift:7 or Cart.swift:12: "
        + "2 releases of it could not be paired with a retain.")
  }

  @Test(
    "A property is set to nil or emptied as its type allows",
    arguments: [
      (.byNil, "set Pane.model to nil", "make Pane.model a variable, and set it to nil"),
      (.byEmptying, "empty Pane.model", "make Pane.model a variable, and empty it"),
      (
        .never, "make Pane.model optional, and set it to nil",
        "make Pane.model an optional variable, and set it to nil"
      ),
      (
        .unknown, "set Pane.model to nil, or empty it,",
        "make Pane.model a variable, and set it to nil, or empty it,"
      ),
    ] as [(HeapField.Clearing, String, String)])
  func clearing(_ way: HeapField.Clearing, _ variable: String, _ constant: String) {
    for (isConstant, text) in [(false, variable), (true, constant)] {
      #expect(
        ChangeWording.clearing("Pane.model", way, isConstant: isConstant) == "\(text) when it is no longer needed")
    }
  }
}
