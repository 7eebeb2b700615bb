import LifelineLifetimes
import Testing

@testable import LifelineReporting

@Suite struct FindingWordingTests {
  @Test(
    "A finding for several objects names the others, or the first three of many",
    arguments: [
      (1...1, "The same happened to Panel#1."),
      (1...4, "The same happened to Panel#1, Panel#2, Panel#3 and Panel#4."),
      (1...1_003, "The same happened to Panel#1, Panel#2, Panel#3 and 1,000 more."),
    ])
  func alike(_ numbers: ClosedRange<Int>, _ sentence: String) {
    #expect(FindingWording.alike(numbers.map { ObjectID(className: "App.Panel", number: $0) }) == sentence)
  }

  @Test("A finding for one object mentions no others")
  func single() { #expect(FindingWording.alike([]) == nil) }
}
