import Foundation
import LifelineAnalysis
import Testing

@Suite struct HoldRuleTests {
  @Test("The built-in rules cover the documented activities, each with a reason")
  func builtIn() {
    let rules = HoldRules().rules
    #expect(
      rules.map(\.id) == [
        "notification-post", "operation", "timer", "thread", "run-loop", "observation", "event-loop", "task-local",
        "task", "dispatch-source", "queue-specific", "dispatch-block", "extended-lifetime",
      ])
    #expect(
      rules.allSatisfy { !$0.reason.isEmpty && !$0.functions.isEmpty && !$0.holder.isEmpty && !$0.activity.isEmpty })
  }

  @Test(
    "A file that is not a hold rules file is rejected with an error that names the file",
    arguments: [
      ("", "The file my.json is not a file of hold rules; 'lifeline rules --format json' shows the format."),
      ("{\"version\": 1}", "The file my.json has no 'rules'; 'lifeline rules --format json' shows the format."),
      (
        "{\"version\": 9, \"rules\": []}",
        "The hold rules in my.json have version 9, but this lifeline reads version 1."
      ),
      (
        "{\"version\": 1, \"rules\": [{\"id\": \"x\"}]}",
        "The file my.json has no 'holder' in rules, rule 1; 'lifeline rules --format json' shows the format."
      ),
    ])
  func refused(_ text: String, _ sentence: String) {
    let error = #expect(throws: HoldRules.FormatError.self) { try HoldRules(adding: Data(text.utf8), name: "my.json") }
    #expect(error?.description == sentence)
  }

  @Test("A user's rules come before the built-in ones, and their number is limited")
  func added() throws {
    func file(_ count: Int) -> Data {
      let rule = { (number: Int) in
        """
        {"id": "r\(number)", "holder": "h", "activity": "a", "scope": "reference", "functions": ["f"], \
        "modules": [], "reason": "r"}
        """
      }
      return Data("{\"version\": 1, \"rules\": [\((0..<count).map(rule).joined(separator: ","))]}".utf8)
    }
    let rules = try HoldRules(adding: file(1), name: "my.json").rules
    #expect(rules.first?.id == "r0" && rules.count == HoldRules().rules.count + 1)
    let error = #expect(throws: HoldRules.FormatError.self) { try HoldRules(adding: file(60), name: "my.json") }
    #expect(error?.description == "The file my.json has 60 hold rules; at most 51 can be added.")
  }
}
