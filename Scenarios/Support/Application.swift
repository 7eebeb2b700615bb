/// Holds the windows.
final class Application: @unchecked Sendable {
  let mainWindow = Window()
  private(set) var windows: [Window]

  init() { windows = [mainWindow] }

  /// Shows a sheet in a window of its own, which keeps it; the view that it was asked to be shown in keeps nothing.
  func show(_ sheet: ActionSheet) {
    let overlay = AlertOverlayWindow()
    overlay.add(sheet)
    windows.append(overlay)
  }

  /// The sheets that are shown.
  var sheets: [ActionSheet] {
    windows.flatMap { window in
      var found: [ActionSheet] = []
      window.walk { if let sheet = $0 as? ActionSheet { found.append(sheet) } }
      return found
    }
  }
}
