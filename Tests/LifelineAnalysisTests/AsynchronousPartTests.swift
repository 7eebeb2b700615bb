import LifelineAnalysis
import Testing

@Suite struct AsynchronousPartTests {
  @Test(
    "A resumption function belongs to the asynchronous function whose name it extends",
    arguments: [
      ("$s3App5fetchyyYaF", "$s3App5fetchyyYaF", true), ("$s3App5fetchyyYaFTQ0_", "$s3App5fetchyyYaF", true),
      ("$s3App5fetchyyYaFTY12_", "$s3App5fetchyyYaF", true),
      ("$s3App4ItemC4nameSSvg", "$s3App4ItemC4nameSSvg", false),
      ("$s3App4ItemC4nameSSvgTQ1_", "$s3App4ItemC4nameSSvg", false),
      ("$s3App5fetchyyF", "$s3App5fetchyyF", false), ("fetchYa", "fetchYa", false), ("", "", false),
    ])
  func parts(name: String, function: String, isAsynchronous: Bool) {
    let part = AsynchronousPart(name)
    #expect(part.function == function)
    #expect(part.isAsynchronous == isAsynchronous)
  }
}
