/// The tables for engines, `lifeline.columns/1`. Documentation/Exporting.md describes their columns.
public enum ColumnTable: String, CaseIterable, Sendable {
  case classes, sites, lives, findings
  /// Written last: a process with a row here has all of its other rows.
  case processes
}
