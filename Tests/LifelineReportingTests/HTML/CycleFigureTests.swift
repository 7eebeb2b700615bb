import Testing

@testable import LifelineReporting

/// The picture of a leak's references, as far as it needs no browser.
@Suite struct CycleFigureTests {
  private func picture(_ steps: [Report.PathStep]) throws -> String { try #require(CycleFigure(steps)).markup.html }

  private func step(_ property: String?, _ object: String = "Pipeline#1") -> Report.PathStep {
    Report.PathStep(class: "App.Pipeline", property: property, kind: "property", object: object)
  }

  @Test("A struct in a box is drawn with its property and the cut; other storage is not drawn")
  func box() throws {
    let array = Report.PathStep(class: "Swift._ContiguousArrayStorage<any App.Stage>", kind: "storage")
    let box = Report.PathStep(class: "(box)", property: "Throttle.pipeline", kind: "storage", isCut: true)
    let html = try picture([step("stages"), array, box, step(nil)])
    for text in [">Throttle<", ">in a box<", ">pipeline<", "mark-cut"] { #expect(html.contains(text)) }
    #expect(!html.contains("ContiguousArrayStorage"))
  }

  @Test("A line that is only that of the code before is called near")
  func nearLine() throws {
    let store = Report.PathStep(
      class: "App.Pipeline", property: "next", kind: "property", object: "Pipeline#1", file: "/src/App.swift", line: 7,
      isNear: true)
    #expect(try picture([store, step(nil)]).contains(">near App.swift:7<"))
  }

  @Test("What stored an element, or perhaps did, is at the property that has the array")
  func element() throws {
    var array = Report.PathStep(
      class: "Swift._ContiguousArrayStorage<App.Stage>", kind: "storage", file: "/src/App.swift", line: 7)
    #expect(try picture([step("stages"), array, step("pipeline"), step(nil)]).contains(">App.swift:7<"))
    (array.file, array.line) = (nil, nil)
    array.perhaps = [
      Report.PathStep.Event(event: 3, file: "/src/App.swift", line: 7),
      Report.PathStep.Event(event: 9, file: "/src/App.swift", line: 8, isNear: true),
    ]
    let unsure = try picture([step("stages"), array, step("pipeline"), step(nil)])
    #expect(unsure.contains(">App.swift:7 or near 8<"))
  }

  @Test("A name that is too long for its box has no generic arguments, but its number")
  func longName() throws {
    let html = try picture([step("next", "CurrentValue<Swift.Int>#12"), step(nil, "CurrentValue<Swift.Int>#12")])
    #expect(html.contains(">CurrentValue#12<"))
  }
}
