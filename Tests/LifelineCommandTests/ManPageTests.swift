import Foundation
import LifelineTestSupport
import Testing

/// The manual pages that `Scripts/make-man-pages` makes from the help.
@Suite(.startsPrograms) struct ManPageTests {
  @Test("A page has the calls of its command and a description that the reader's terminal fills")
  func pages() throws {
    try withTemporaryFolder { folder in
      let script = BuiltPackage.root.appendingPathComponent("Scripts/make-man-pages").path
      let made = try CommandResult.run(script, [BuiltPackage.lifeline, folder])
      try #require(made.status == 0, "\(made.errors)")
      func page(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name).1", encoding: .utf8) }
      let check = try page("lifeline-check")
      #expect(
        check.contains(
          """
          .SH SYNOPSIS
          lifeline check [options] TRACE
          .br
          lifeline check [options] \\-\\- PROGRAM [ARGUMENT ...]
          .SH DESCRIPTION
          Exits with 0 when clean,
          """))
      #expect(try page("lifeline-report").contains(".B lifeline report\n[\\fIoptions\\fR]\n\\fItrace\\fR\n"))
      #expect(try page("lifeline-objects").contains("\\-\\-sort size\n.PP\nAn age ends"))
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        #expect(try !String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).contains(".nf"), "\(name)")
      }
    }
  }
}
