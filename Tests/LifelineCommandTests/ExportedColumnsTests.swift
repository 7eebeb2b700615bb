import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

/// Exported rows, read by a query engine.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ExportedColumnsTests {
  private func ask(_ question: String, in folder: String) throws -> String {
    let script = "import duckdb, sys\nfor row in duckdb.sql(sys.argv[1]).fetchall(): print(*row, sep='|')"
    let result = try TestTool.duckdb.run(["-c", script, question], folder: folder)
    #expect(result.errors == "")
    return result.output
  }

  private func export(_ arguments: String..., in folder: String) throws -> CommandResult {
    try lifeline(["export", "app.lifeline", "--format", "columns", "-o", "fleet"] + arguments, in: folder)
  }

  @Test(
    "DuckDB reads the rows of several hosts with version and day as columns, exact counts and sampled lives",
    .needs(.duckdb))
  func rows() throws {
    try ExportTests.withSample { folder in
      for host in ["web-1", "web-2"] {
        let result = try export("--host", host, "--program-version", "1.4", "--limit", "30", in: folder)
        #expect(result == CommandResult(output: "", errors: "", status: 0))
      }
      func table(_ name: String) -> String { "read_json('fleet/\(name)/**/*.jsonl.zst', hive_partitioning = true)" }
      try #expect(
        ask(
          """
          SELECT host, program, pid, events, lives, lives_with_row, exit_status, version, \
          day FROM \(table("processes")) ORDER BY host
          """,
          in: folder) == """
            web-1|app|4711|400|100|30|0|1.4|1970-01-01
            web-2|app|4711|400|100|30|0|1.4|1970-01-01

            """)
      try #expect(
        ask("SELECT class, sum(allocations), sum(live), sum(retains) FROM \(table("classes")) GROUP BY 1", in: folder)
          == "App.Node|200|100|200\n")
      try #expect(
        ask(
          """
          SELECT count(*), count(DISTINCT number), count(freed_ns) = count(*) FILTER (state = 'freed') \
          FROM \(table("lives"))
          """,
          in: folder) == "60|30|True\n")
      let allocator =
        "SELECT DISTINCT s.frames[1].function FROM \(table("lives")) l JOIN \(table("sites")) s USING "
        + "(process, class, site)"
      try #expect(ask(allocator, in: folder) == "0x1f\n")
      let again = try export("--host", "web-1", "--program-version", "1.4", in: folder)
      #expect(
        again.status == 2
          && again.errors.hasSuffix("web-1.4711.0.jsonl.zst already exists; use --force to replace it.\n"))
      try #expect(export("--host", "web-1", "--program-version", "1.4", "-f", in: folder).status == 0)
    }
  }

  @Test("Hostile names of hosts, versions and classes stay within their folder and column", .needs(.duckdb))
  func hostileNames() throws {
    try ExportTests.withSample(name: ExportTests.hostile) { folder in
      let result = try export("--host", "../../../etc/x\n", "--program-version", "..", in: folder)
      #expect(result == CommandResult(output: "", errors: "", status: 0))
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["app.lifeline", "fleet"])
      try #expect(FileManager.default.contentsOfDirectory(atPath: "\(folder)/fleet/lives") == ["version=_.."])
      let answer = try ask(
        "SELECT class, host, program_version, live FROM read_json('fleet/classes/**/*.jsonl.zst')", in: folder)
      #expect(
        answer.hasPrefix("App.\"Quote\";DROP TABLE objects;--\u{FFFD}=cmd()|")
          && answer.hasSuffix("longlong|../../../etc/x\u{FFFD}|..|50\n"))
    }
  }

  @Test(
    "A damaged trace exports its rows, marked as damaged; a folder that cannot be created is an error", .needs(.duckdb))
  func failures() throws {
    try ExportTests.withSample({ $0.removeLast(60_000) }) { folder in
      let result = try export(in: folder)
      #expect(result.status == 2 && result.errors.contains("What could be read was exported."))
      try #expect(ask("SELECT is_damaged FROM read_json('fleet/processes/**/*.jsonl.zst')", in: folder) == "True\n")
      try "mine".write(toFile: "\(folder)/file", atomically: true, encoding: .utf8)
      let refused = try lifeline(["export", "app.lifeline", "--format", "columns", "-o", "file"], in: folder)
      #expect(
        refused.status == 2
          && refused.errors.hasPrefix("lifeline: Cannot create the folder file/classes: Not a directory."))
      try #expect(lifeline(["export", "app.lifeline", "--format", "columns"], in: folder).status == 64)
    }
  }
}
