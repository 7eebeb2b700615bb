/// What a program is called: its file's name. A trace that is cut off may not have it.
struct ProgramName {
  let text: String

  init(_ path: String) {
    text = path.split(separator: "/").last.map(String.init) ?? (path.isEmpty ? "unnamed program" : path)
  }
}
