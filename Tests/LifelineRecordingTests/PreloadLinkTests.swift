import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineRecording

@Suite struct PreloadLinkTests {
  @Test("A path that LD_PRELOAD supports is used as is")
  func plain() throws {
    try #expect(PreloadLink(folders: []).path(of: "/usr/lib/größe/probe.so") == "/usr/lib/größe/probe.so")
  }

  @Test("A path with a space or colon gets a stable link in the first folder that can hold one")
  func link() throws {
    try withTemporaryFolder { folder in
      let links = PreloadLink(folders: ["\(folder)/a b", "\(folder)/none", folder])
      let link = try links.path(of: "/a b/probe.so")
      #expect(link.hasPrefix("\(folder)/lifeline-") && link.hasSuffix("/libLifelineProbe.so"))
      try #expect(FileManager.default.destinationOfSymbolicLink(atPath: link) == "/a b/probe.so")
      try #expect(links.path(of: "/a b/probe.so") == link)
      try #expect(links.path(of: "/a:b/probe.so") != link)
    }
  }

  @Test("A folder that others can write to is not trusted, and a link with another target is replaced")
  func distrust() throws {
    try withTemporaryFolder { folder in
      let links = PreloadLink(folders: [folder])
      let link = try links.path(of: "/a b/probe.so")
      try FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/elsewhere")
      try #expect(links.path(of: "/a b/probe.so") == link)
      try #expect(FileManager.default.destinationOfSymbolicLink(atPath: link) == "/a b/probe.so")
      let own = URL(fileURLWithPath: link).deletingLastPathComponent().path
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: own)
      #expect {
        try links.path(of: "/a b/probe.so")
      } throws: { error in
        "\(error)".contains(
          "/a b/probe.so, contains a space or a colon, so it cannot be preloaded, and no link to it "
            + "can be created in \(folder)."
        )
      }
    }
  }
}
