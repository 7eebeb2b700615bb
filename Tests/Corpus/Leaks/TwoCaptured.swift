// leak: 1 Editor, 1 Tool
// path: Editor.tool, Tool.onUse, closure
// change: Capture tool and self weakly or unowned in the closure at main.swift:17 ([weak tool, weak self])
// One closure captures both objects of a cycle.
final class Tool {
  var onUse: ((Int) -> Int)?
  var uses = 0
}
final class Editor {
  private let tool = Tool() // ALLOC
  private var strokes = 0
  func start() {
    let tool = tool
    #if CLEAN
    tool.onUse = { [weak self, weak tool] count in (self?.strokes ?? 0) + (tool?.uses ?? 0) + count }
    #else
    tool.onUse = { count in // KEPT
      tool.uses += 1
      self.strokes += count
      return self.strokes
    }
    #endif
  }
  @inline(never) func use() -> Int { tool.onUse?(2) ?? 0 }
}
@inline(never) func run() -> Int {
  let editor = Editor() // ALLOC
  editor.start()
  return editor.use()
}
print(run())
