/// Sorts and searches tables; the buttons and the search field exist only if the script runs.
enum TableScript {
  static let text = #"""
    const make = (tag, properties, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children);
      return element;
    };
    document.documentElement.classList.add("js");

    for (const table of document.querySelectorAll("table.sortable")) {
      const body = table.tBodies[0];
      const rows = [...body.rows];
      const value = (row, column) => {
        const cell = row.cells[column];
        return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
      };
      const compare = (a, b) => typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;

      [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = make("button", { type: "button", textContent: head.textContent });
        head.replaceChildren(button);
        button.addEventListener("click", () => {
          const isNumeric = rows.length > 0 && typeof value(rows[0], column) === "number";
          const previous = head.getAttribute("aria-sort");
          const order = previous ? (previous === "descending" ? "ascending" : "descending")
            : isNumeric ? "descending" : "ascending";
          for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
          head.setAttribute("aria-sort", order);
          const sign = order === "ascending" ? 1 : -1;
          const sorted = rows.map((row, index) => ({ row, index, key: value(row, column) }));
          sorted.sort((a, b) => sign * compare(a.key, b.key) || a.index - b.index);
          body.append(...sorted.map(entry => entry.row));
        });
      });

      if (rows.length < 2) continue;
      const noun = table.dataset.noun;
      const field = make("input",
        { type: "search", placeholder: "Search " + noun, autocomplete: "off", spellcheck: false });
      field.setAttribute("aria-label", "Search " + noun);
      const shown = make("output");
      field.addEventListener("input", () => {
        const words = field.value.toLowerCase().split(/\s+/);
        let count = 0;
        for (const row of rows) {
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every(word => text.includes(word));
          if (!row.hidden) count += 1;
        }
        shown.textContent = field.value.trim() ? `${count} of ${rows.length} ${noun}` : "";
      });
      table.parentElement.before(make("div", { className: "search" }, field, shown));
    }

    """#
}
