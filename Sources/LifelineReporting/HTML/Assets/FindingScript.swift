/// Copies findings and links to them.
enum FindingScript {
  static let text = #"""
    const copy = async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // A page from disk may not be given the clipboard: the old way works from a click.
        const area = make("textarea", { value: text, className: "hushed" });
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        return done;
      }
    };

    for (const finding of document.querySelectorAll("article.finding")) {
      const text = finding.querySelector(".markdown pre").textContent;
      const button = make("button", { type: "button", className: "action copy", textContent: "Copy as Markdown" });
      const said = make("span", { className: "hushed" });
      said.setAttribute("aria-live", "polite");
      button.addEventListener("click", async () => {
        const done = await copy(text);
        if (!done) finding.querySelector(".markdown").open = true;
        said.textContent = button.textContent = done ? "Copied" : "Select it below";
        setTimeout(() => { button.textContent = "Copy as Markdown"; }, 2000);
      });
      finding.querySelector("header").append(button, said);
    }

    """#
}
