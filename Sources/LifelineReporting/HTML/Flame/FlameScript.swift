/// Draws the flame graph: widths by one count, zoom and search by mouse and by keyboard.
enum FlameScript {
  static let page =
    "\n\"use strict\";\n(() => {\n" + TableScript.text + graph + controls + """
      document.documentElement.dataset.script = "ready";
      })();

      """

  private static let graph = #"""
    const data = JSON.parse(document.getElementById("profile").textContent);
    const flame = document.querySelector(".flame");
    const detail = document.querySelector(".flame-detail");
    const rowHeight = 21;
    const state = { view: "code", metric: 0, isFormer: false, root: 0, current: 0, query: "" };
    const views = {};
    for (const [name, view] of Object.entries(data.views)) {
      const children = view.parent.map(() => []);
      view.parent.forEach((parent, node) => { if (node > 0) children[parent].push(node); });
      views[name] = { ...view, children };
    }
    const view = () => views[state.view];
    const count = node => (state.isFormer ? view().former : view().values)[state.metric][node];
    const text = node => view().names[view().name[node]];
    const amount = value => {
      if (!data.metrics[state.metric].isBytes) return value.toLocaleString("en-US");
      for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]])
        if (Math.abs(value) >= size) return (value / size).toFixed(1) + " " + unit;
      return value + " B";
    };
    const drawn = node => view().children[node].filter(child => count(child) > 0)
      .sort((a, b) => count(b) - count(a) || a - b);
    const isMatch = node => state.query !== "" && text(node).toLowerCase().includes(state.query);
    const path = node => {
      const nodes = [node];
      while (nodes[0] !== 0) nodes.unshift(view().parent[nodes[0]]);
      return nodes;
    };

    const describe = node => {
      const value = view().values[state.metric][node];
      const total = count(0);
      let line = `${amount(value)} ${data.metrics[state.metric].name}`;
      if (data.isDifference) {
        const former = view().former[state.metric][node];
        line += `, before ${amount(former)}: ${value >= former ? "+" : "−"}${amount(Math.abs(value - former))}`;
      } else if (total > 0) {
        line += ` (${(100 * value / total).toFixed(1)} % of all)`;
      }
      return line;
    };

    const color = node => {
      if (data.isDifference) {
        const now = view().values[state.metric][node], before = view().former[state.metric][node];
        if (now === before) return "var(--same)";
        const strength = Math.round(25 + 75 * Math.min(1, Math.abs(now - before) / Math.max(now, before)));
        return `color-mix(in srgb, var(--${now > before ? "more" : "less"}) ${strength}%, var(--same))`;
      }
      let hash = 0;
      for (const letter of text(node)) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
      return `var(--${view().isSystem[view().name[node]] ? "system" : "own"}-${hash % 3})`;
    };

    let boxes = new Map();
    const add = (node, left, width, depth, isAround) => {
      const box = make("div", { className: "frame", id: "frame-" + node });
      box.setAttribute("role", "treeitem");
      box.setAttribute("aria-label", `${text(node)}: ${describe(node)}`);
      box.setAttribute("aria-level", depth + 1);
      if (width * flame.clientWidth > 24) box.textContent = text(node); else box.classList.add("narrow");
      box.style.left = 100 * left + "%";
      box.style.width = 100 * width + "%";
      box.style.top = depth * rowHeight + "px";
      box.style.background = color(node);
      if (isAround) box.classList.add("around");
      if (isMatch(node)) box.classList.add("match");
      box.addEventListener("click", () => { zoom(node); flame.focus(); });
      box.addEventListener("mouseenter", () => show(node));
      boxes.set(node, box);
      flame.append(box);
    };
    const draw = () => {
      flame.replaceChildren();
      boxes = new Map();
      const around = path(state.root).slice(0, -1);
      around.forEach((node, depth) => add(node, 0, 1, depth, true));
      let deepest = around.length;
      const narrowest = 2 / Math.max(1, flame.clientWidth);
      const waiting = [[state.root, 0, 1, around.length]];
      while (waiting.length > 0) {
        const [node, left, width, depth] = waiting.pop();
        add(node, left, width, depth, false);
        deepest = Math.max(deepest, depth);
        let start = left;
        for (const child of count(node) > 0 ? drawn(node) : []) {
          const share = width * count(child) / count(node);
          if (share >= narrowest) waiting.push([child, start, share, depth + 1]);
          start += share;
        }
      }
      flame.style.height = (deepest + 1) * rowHeight + 2 + "px";
      select(boxes.has(state.current) ? state.current : state.root);
      sum();
    };
    const show = node => { detail.textContent = `${text(node)}\n${describe(node)}`; };
    const select = node => {
      boxes.get(state.current)?.classList.remove("current");
      state.current = node;
      const box = boxes.get(node);
      box.classList.add("current");
      flame.setAttribute("aria-activedescendant", box.id);
      box.scrollIntoView({ block: "nearest" });
      show(node);
    };
    const zoom = node => { state.root = node; state.current = node; draw(); };

    """#

  private static let controls = #"""
    const matched = make("output");
    const sum = () => {
      if (state.query === "") { matched.textContent = ""; return; }
      let total = 0;
      const waiting = [state.root];
      while (waiting.length > 0) {
        const node = waiting.pop();
        if (isMatch(node)) total += count(node); else waiting.push(...view().children[node]);
      }
      matched.textContent = `${amount(total)} ${data.metrics[state.metric].name} in matches`;
    };
    const choice = (label, options, change) => {
      const list = make("select", {},
        ...options.map(([value, title]) => make("option", { value, textContent: title })));
      list.addEventListener("change", () => { change(list.value); draw(); });
      return make("label", {}, label, list);
    };
    const search = make("input",
      { type: "search", placeholder: "Search functions and classes", autocomplete: "off", spellcheck: false });
    search.setAttribute("aria-label", "Search functions and classes");
    search.addEventListener("input", () => { state.query = search.value.trim().toLowerCase(); draw(); });
    search.addEventListener("keydown", event => {
      if (event.key === "Escape" || event.key === "Enter") flame.focus();
    });
    const whole = make("button", { type: "button", textContent: "Show all" });
    whole.addEventListener("click", () => { zoom(0); flame.focus(); });

    const siblings = node =>
      node === state.root ? [node] : drawn(view().parent[node]).filter(other => boxes.has(other));
    const keys = {
      ArrowDown: node => drawn(node).find(child => boxes.has(child)),
      ArrowUp: node => node === 0 ? undefined : view().parent[node],
      ArrowLeft: node => siblings(node)[siblings(node).indexOf(node) - 1],
      ArrowRight: node => siblings(node)[siblings(node).indexOf(node) + 1],
      Home: () => state.root,
    };
    flame.addEventListener("keydown", event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key in keys) {
        const next = keys[event.key](state.current);
        if (next !== undefined && boxes.has(next)) select(next);
      } else if (event.key === "Enter" || event.key === " ") {
        zoom(state.current);
      } else if (event.key === "Escape" || event.key === "Backspace") {
        const inner = state.root;
        zoom(event.key === "Escape" ? 0 : view().parent[state.root]);
        if (boxes.has(inner)) select(inner);
      } else if (event.key === "/") {
        search.focus();
      } else {
        return;
      }
      event.preventDefault();
    });

    if (data.metrics.length > 0) {
      const bar = document.querySelector(".flame-controls");
      bar.append(
        choice("Widths", data.metrics.map((metric, index) => [index, metric.name]), value => {
          state.metric = Number(value);
        }),
        choice("Begin with", [["code", "code"], ["class", "classes"]], value => {
          Object.assign(state, { view: value, root: 0, current: 0 });
        }),
        ...(data.isDifference ? [choice("of", [["now", "this trace"], ["former", "the earlier trace"]], value => {
          state.isFormer = value === "former";
        })] : []),
        search, whole, matched,
        make("span",
          { className: "hint", textContent: "Arrows move, Enter zooms, Backspace and Escape go back, / searches" }));
      draw();
      new ResizeObserver(() => {
        if (flame.clientWidth !== state.width) { state.width = flame.clientWidth; draw(); }
      }).observe(flame);
    }

    """#
}
