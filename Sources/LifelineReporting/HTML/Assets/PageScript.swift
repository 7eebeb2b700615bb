/// The page's script: what it adds to a page that says everything without it.
enum PageScript {
  static let text =
    "\n\"use strict\";\n(() => {\n" + TableScript.text + FindingScript.text + FigureScript.text + """
      document.documentElement.dataset.script = "ready";
      })();

      """
}
