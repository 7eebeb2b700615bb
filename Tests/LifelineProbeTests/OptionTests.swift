import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct OptionTests {
  @Test(
    "An invalid value is reported with its key and ignored",
    arguments: [
      ("zombies=maybe", "the value 'maybe' of zombies in LIFELINE_OPTIONS is neither 1 nor 0 and was ignored"),
      ("frames=0", "the value '0' of frames in LIFELINE_OPTIONS is invalid and was ignored"),
      ("sample=1/x", "the value 'x' of sample in LIFELINE_OPTIONS is invalid and was ignored"),
      ("colour=red", "the key 'colour' in LIFELINE_OPTIONS is unknown and was ignored"),
    ])
  func invalid(_ options: String, _ sentence: String) throws {
    let run = try RecordedRun(
      TestProgram("final class Node {}\nlet node = Node()\nprint(1)"), options: options)
    #expect(run.traced.errors == "lifeline: \(sentence)\n")
    #expect(run.traced.output == "1\n")
    #expect(run.totals("Node")?.allocated == 1)
  }
}
