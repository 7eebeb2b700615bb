/// The tables of an exported database, `lifeline.sqlite/1`, and views for the usual questions.
///
/// Documentation/Exporting.md describes them.
enum SQLiteSchema {
  static let name = "lifeline.sqlite/1"

  static let tables = """
    CREATE TABLE trace (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE problems (text TEXT NOT NULL);
    CREATE TABLE images (id INTEGER PRIMARY KEY, path TEXT NOT NULL, build_id TEXT NOT NULL,
      is_main INTEGER NOT NULL, is_system INTEGER NOT NULL);
    CREATE TABLE threads (id INTEGER PRIMARY KEY, kernel_id INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE TABLE classes (id INTEGER PRIMARY KEY, name TEXT NOT NULL, instance_size INTEGER NOT NULL);
    CREATE TABLE frames (
      id INTEGER PRIMARY KEY, function TEXT NOT NULL, mangled_name TEXT, file TEXT, line INTEGER, image TEXT NOT NULL,
      is_system INTEGER NOT NULL, inlined_into INTEGER REFERENCES frames);
    CREATE TABLE backtraces (
      id INTEGER PRIMARY KEY, caller INTEGER REFERENCES backtraces, frame INTEGER NOT NULL REFERENCES frames,
      place INTEGER REFERENCES frames);
    CREATE TABLE sites (
      class INTEGER NOT NULL REFERENCES classes, backtrace INTEGER NOT NULL REFERENCES backtraces,
      allocations INTEGER NOT NULL, bytes INTEGER NOT NULL, live INTEGER NOT NULL, live_bytes INTEGER NOT NULL,
      retains INTEGER NOT NULL, releases INTEGER NOT NULL, avoidable INTEGER NOT NULL,
      PRIMARY KEY (class, backtrace)) WITHOUT ROWID;
    CREATE TABLE objects (
      class INTEGER NOT NULL REFERENCES classes, number INTEGER NOT NULL, address INTEGER NOT NULL,
      size INTEGER NOT NULL, state TEXT NOT NULL,
      allocated_event INTEGER NOT NULL, allocated_ns INTEGER NOT NULL, thread INTEGER NOT NULL REFERENCES threads,
      backtrace INTEGER NOT NULL REFERENCES backtraces, retains INTEGER NOT NULL, releases INTEGER NOT NULL,
      final_event INTEGER, final_ns INTEGER, final_thread INTEGER REFERENCES threads,
      final_backtrace INTEGER REFERENCES backtraces, freed_event INTEGER, freed_ns INTEGER);
    CREATE TABLE findings (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL, severity TEXT NOT NULL, title TEXT NOT NULL,
      fingerprint TEXT NOT NULL, object TEXT NOT NULL, class TEXT NOT NULL, explanation TEXT NOT NULL);
    """

  static let views = """
    CREATE INDEX objects_by_identity ON objects (class, number);
    CREATE VIEW class_totals AS
      SELECT c.name AS class, sum(allocations) AS allocations, sum(bytes) AS bytes, sum(live) AS live,
        sum(live_bytes) AS live_bytes, sum(retains) AS retains, sum(releases) AS releases, sum(avoidable) AS avoidable
      FROM sites JOIN classes c ON c.id = sites.class
      GROUP BY c.id;
    CREATE VIEW site_totals AS
      SELECT c.name AS class, f.function, f.file, f.line, sum(allocations) AS allocations, sum(bytes) AS bytes,
        sum(live) AS live, sum(live_bytes) AS live_bytes, sum(retains) AS retains, sum(releases) AS releases,
        sum(avoidable) AS avoidable
      FROM sites JOIN classes c ON c.id = sites.class JOIN backtraces b ON b.id = sites.backtrace
        JOIN frames f ON f.id = coalesce(b.place, b.frame)
      GROUP BY c.id, f.function, f.file, f.line;
    CREATE VIEW live_by_site AS
      SELECT class, function, file, line, live, live_bytes FROM site_totals WHERE live > 0;
    CREATE VIEW lives AS
      SELECT c.name || '#' || o.number AS object, c.name AS class, o.state, o.size, o.allocated_ns, o.final_ns,
        o.freed_ns, o.final_ns - o.allocated_ns AS lifetime_ns, f.function AS allocated_by, f.file, f.line,
        t.name AS thread, o.retains, o.releases
      FROM objects o JOIN classes c ON c.id = o.class JOIN backtraces b ON b.id = o.backtrace
        JOIN frames f ON f.id = coalesce(b.place, b.frame) LEFT JOIN threads t ON t.id = o.thread;
    CREATE VIEW lifetimes AS
      SELECT class, count(*) AS objects, min(lifetime_ns) AS shortest_ns, avg(lifetime_ns) AS mean_ns,
        max(lifetime_ns) AS longest_ns
      FROM lives WHERE lifetime_ns IS NOT NULL
      GROUP BY class;
    CREATE VIEW moved_between_threads AS
      SELECT c.name || '#' || o.number AS object, a.name AS allocated_on, e.name AS ended_on
      FROM objects o JOIN classes c ON c.id = o.class JOIN threads a ON a.id = o.thread
        JOIN threads e ON e.id = o.final_thread
      WHERE o.thread <> o.final_thread;
    """
}
