/// The page's script: optional additions to a page that is complete without it.
enum PageScript {
  static let text =
    "\n\"use strict\";\n(() => {\n" + TableScript.text + FindingScript.text + FigureScript.text + """
      document.documentElement.dataset.script = "ready";
      })();

      """
}
