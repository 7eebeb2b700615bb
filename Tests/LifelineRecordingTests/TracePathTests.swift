@testable import LifelineRecording
import Testing

@Suite struct TracePathTests {
  @Test("%p is the process, %e the program and %% a percent sign; other patterns are kept")
  func expansion() {
    let path = TracePath(output: "/t/%e.%p.%%.%x.%")
    #expect(path.expanded(process: 42, program: "app") == "/t/app.42.%.%x.%")
    #expect(!path.isFixed && path.hasFixedFolder && path.folder == "/t")
    #expect(TracePath(output: "/t/a%%p").isFixed)
  }

  @Test("A pattern in the folder is recognized")
  func folder() {
    #expect(!TracePath(output: "/t/%e/x").hasFixedFolder)
    #expect(!TracePath(output: "/t/%p.d/x").hasFixedFolder)
    #expect(TracePath(output: "/x").folder == "/")
  }
}
