import Foundation
import LifelineTestSupport

/// Headless Chromium with a page from disk.
enum Browser {
  /// Returns the page after its scripts ran, and the messages of the browser's console.
  static func open(_ html: String, milliseconds: Int = 3000) throws -> (page: String, console: String) {
    return try withTemporaryFolder { folder in
      try html.write(toFile: folder + "/report.html", atomically: true, encoding: .utf8)
      let result = try TestTool.chromium.run([
        "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder)/profile",
        "--window-size=1200,900",
        "--enable-logging=stderr", "--virtual-time-budget=\(milliseconds)", "--dump-dom",
        "file://\(folder)/report.html",
      ])
      guard result.status == 0, result.output.contains("</html>") else {
        throw BrowserError(description: "Chromium ended with \(result.status):\n\(result.errors.suffix(2000))")
      }
      let console = result.errors.split(separator: "\n").filter { $0.contains("CONSOLE") }.joined(separator: "\n")
      return (result.output, console)
    }
  }

  /// Runs a driver script in the page that acts like a user, and returns its messages. The page's policy is removed,
  /// because it would block the driver. The messages end up in `<output id="driver">`.
  static func drive(_ html: String, _ driver: String) throws -> String {
    guard let start = html.range(of: "<meta http-equiv=\"Content-Security-Policy\""),
      let end = html.range(of: ">", range: start.upperBound..<html.endIndex)
    else { throw BrowserError(description: "The page has no policy.") }
    var page = html.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    page = page.replacingOccurrences(
      of: "</body>",
      with: """
        <script>
        const said = [];
        const say = (...words) => said.push(words.join(" "));
        try { \(driver) } catch (error) { say("failed:", error); }
        document.body.append(Object.assign(document.createElement("output"), \
        { id: "driver", textContent: said.join("\\n") }));
        </script></body>
        """)
    let result = try open(page).page
    guard let from = result.range(of: "<output id=\"driver\">"),
      let to = result.range(of: "</output>", range: from.upperBound..<result.endIndex)
    else { throw BrowserError(description: "The driver did not run.") }
    return String(result[from.upperBound..<to.lowerBound])
  }
}

struct BrowserError: Error, CustomStringConvertible {
  let description: String
}
