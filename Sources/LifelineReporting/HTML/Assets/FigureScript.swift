/// Interaction with the lifeline view: zoom, pan, keyboard, tooltips, and a scrubber that shows who holds what.
enum FigureScript {
  static let text = drawing + reading + handling

  /// Layout: positions as in `FigureScale`, by event or by time, seen through a window [from, to].
  private static let drawing = #"""
    class Lifeline {
      constructor(figure) {
        this.figure = figure;
        this.plot = figure.querySelector("svg.plot");
        const numbers = (text) => text ? text.split(" ").map(Number) : [];
        this.events = numbers(this.plot.dataset.events);
        this.times = numbers(this.plot.dataset.times);
        this.window = numbers(figure.dataset.window);
        this.size = Math.max(1, this.events.length);
        this.from = 0;
        this.to = 1;
        this.byTime = false;
        this.current = this.window.length ? this.index(this.window[1]) : this.size - 1;
        this.items = [...this.plot.querySelectorAll("[data-a]")].map(element => ({
          element, a: Number(element.dataset.a), b: element.dataset.b === undefined ? null : Number(element.dataset.b),
        }));
        this.readTips();
        this.readObjects();
        this.cursor = document.createElementNS(this.plot.namespaceURI, "line");
        this.cursor.setAttribute("class", "cursor");
        // The line leaves the numbers above legible.
        this.cursor.setAttribute("y1", this.plot.dataset.axis);
        this.cursor.setAttribute("y2", "100%");
        this.plot.querySelector(".object").before(this.cursor);
        this.axis = this.plot.querySelector(".axis");
        this.addControls();
        this.addScrubber();
        this.listen();
        this.show(this.current);
      }

      index(position) { return Math.min(this.size - 1, Math.max(0, Math.ceil((position - 1) / 2))); }

      fraction(position) {
        if (!this.byTime) return position / (2 * this.size);
        if (position <= 0) return 0;
        if (position >= 2 * this.size) return 1;
        const first = this.times[0], length = this.times[this.size - 1] - first;
        if (length <= 0) return position / (2 * this.size);
        return 0.02 + 0.96 * (this.times[this.index(position)] - first) / length;
      }

      across(position) { return 100 * (this.fraction(position) - this.from) / (this.to - this.from); }

      layout() {
        for (const { element, a, b } of this.items) {
          const x = this.across(a);
          if (element.tagName === "line") {
            element.setAttribute("x1", x + "%");
            element.setAttribute("x2", x + "%");
          } else {
            element.setAttribute("x", x + "%");
            if (b !== null) element.setAttribute("width", Math.max(0, this.across(b) - x) + "%");
          }
        }
        this.layoutAxis();
        this.layoutCursor();
      }

      layoutAxis() {
        const labels = [];
        for (let index = 0; index < this.size; index += 1) {
          const x = this.across(2 * index + 1);
          if (x >= 0 && x <= 100) labels.push({ index, x });
        }
        const width = this.plot.clientWidth || 1000;
        const room = Math.max(2, Math.floor(width / 110));
        const gap = 100 / room;
        let last = -Infinity;
        const texts = [];
        for (const { index, x } of labels) {
          if (x - last < gap) continue;
          last = x;
          const side = x * width < 2500 ? "start" : (100 - x) * width < 2500 ? "end" : "middle";
          for (const [y, name, text] of
            [[13, side, String(this.events[index])], [27, "time " + side, this.time(index)]]) {
            const label = document.createElementNS(this.plot.namespaceURI, "text");
            label.setAttribute("x", x + "%");
            label.setAttribute("y", y);
            label.setAttribute("class", name);
            label.textContent = text;
            texts.push(label);
          }
        }
        this.axis.replaceChildren(...texts);
      }

      /// As FigureScale.time writes it.
      time(index) {
        if (index === 0) return duration(this.times[0]);
        const offset = this.times[index] - this.times[0];
        if (offset === 0) return "";
        const span = this.times[this.size - 1] - this.times[0];
        if (span < 1000) return `+${offset} ns`;
        const [unit, name] = span < 1e7 ? [1e3, "µs"] : span < 1e10 ? [1e6, "ms"] : [1e9, "s"];
        return `+${grouped(Math.floor(offset / unit))}.${Math.floor(offset % unit / (unit / 10))} ${name}`;
      }

      layoutCursor() {
        const x = this.across(2 * this.current + 1) + "%";
        this.cursor.setAttribute("x1", x);
        this.cursor.setAttribute("x2", x);
      }

      look(from, to) {
        const least = Math.min(1, 4 / this.size) * (this.byTime ? 0.001 : 1);
        const width = Math.min(1, Math.max(least, to - from));
        this.from = Math.min(1 - width, Math.max(0, from));
        this.to = this.from + width;
        this.layout();
      }

      zoom(factor, at) {
        const width = (this.to - this.from) * factor;
        const middle = this.from + (this.to - this.from) * at;
        this.look(middle - width * at, middle + width * (1 - at));
      }

      pan(share) {
        const step = (this.to - this.from) * share;
        this.look(this.from + step, this.to + step);
      }

      fit() { this.look(0, 1); }

      fitWindow() {
        const from = this.fraction(this.window[0]), to = this.fraction(this.window[1]);
        const margin = (to - from) * 0.15 + 0.5 / this.size;
        this.look(from - margin, to + margin);
      }

    """#

  /// What the figure says: tooltips from the shapes' titles, and each object's state at an event.
  private static let reading = #"""
      readTips() {
        this.tips = [...this.plot.querySelectorAll(".tip")].map(element => {
          const title = element.querySelector("title");
          const tip = { element, text: title.textContent };
          title.remove();
          return tip;
        });
      }

      readObjects() {
        this.objects = [...this.plot.querySelectorAll(".object")].map(group => ({
          name: group.dataset.name, born: Number(group.dataset.born), final: Number(group.dataset.final),
          freed: Number(group.dataset.freed),
          counts: this.spans(group, ".count", element => element.dataset.count),
          holds: this.spans(group, ".hold", element => element.dataset),
        }));
      }

      spans(group, selector, read) {
        return [...group.querySelectorAll(selector)].map(element => (
          { a: Number(element.dataset.a), b: Number(element.dataset.b), what: read(element),
            isTransient: element.classList.contains("transient") }));
      }

      state(object, position) {
        const holds = object.holds.filter(hold => hold.a <= position && position < hold.b);
        if (position < object.born) return { text: "not yet allocated", holds: [] };
        if (object.freed >= 0 && position >= object.freed) {
          return { text: `dead, freed at event ${this.events[this.index(object.freed)]}`, holds: [] };
        }
        if (object.final >= 0 && position >= object.final) return { text: "in its deinit", holds: [] };
        const count = object.counts.find(step => step.a <= position && position < step.b);
        return { text: count ? `strong count ${count.what}` : "alive", holds };
      }

      show(index) {
        this.current = Math.min(this.size - 1, Math.max(0, index));
        const position = 2 * this.current + 1;
        const half = this.fraction(position);
        if (half < this.from || half > this.to)
          this.look(half - (this.to - this.from) / 2, half + (this.to - this.from) / 2);
        this.layoutCursor();
        const event = this.events[this.current];
        this.slider.value = String(this.current);
        this.slider.setAttribute("aria-valuetext", `event ${event}`);
        const lines = [make("b", { textContent: `At event ${event}` }), ` (${duration(this.times[this.current])})`];
        for (const object of this.objects) {
          const state = this.state(object, position);
          const line = make("span", { className: "state" }, make("b", { textContent: object.name }), `: ${state.text}`);
          if (state.holds.length) {
            const names = state.holds.map(hold => `${hold.what.holder}, since event ${hold.what.from}`);
            line.append(", ", make("span", { className: "holders", textContent: "held by " + names.join("; ") }));
          }
          lines.push(line);
        }
        this.output.replaceChildren(...lines);
        for (const row of this.figure.querySelectorAll("tr.current")) row.classList.remove("current");
        for (const row of this.figure.querySelectorAll(`tr[data-event="${event}"]`)) row.classList.add("current");
      }

    """#

  private static let handling = #"""
      addControls() {
        const bar = make("div", { className: "controls" });
        bar.setAttribute("role", "toolbar");
        bar.setAttribute("aria-label", "View of the lifeline");
        const button = (text, label, action) => {
          const element = make("button", { type: "button", className: "action", textContent: text });
          if (label) element.setAttribute("aria-label", label);
          element.addEventListener("click", () => action(element));
          bar.append(element);
          return element;
        };
        button("+", "Zoom in", () => this.zoom(0.6, 0.5));
        button("−", "Zoom out", () => this.zoom(1 / 0.6, 0.5));
        button("Everything", null, () => this.fit());
        if (this.window.length) button("The finding", "Zoom to the finding", () => this.fitWindow());
        this.timeButton = button("True time", "Distances by time instead of by event", () => this.toggleTime());
        this.timeButton.setAttribute("aria-pressed", "false");
        bar.append(make("span", { className: "hint",
          textContent: "Drag to pan, Ctrl and wheel to zoom, click to pin. \#
    Keys: ← → step, Shift ← → pan, + − 0 zoom, F the finding, T true time" }));
        this.plot.before(bar);
      }

      toggleTime() {
        this.byTime = !this.byTime;
        this.timeButton.setAttribute("aria-pressed", String(this.byTime));
        this.fit();
      }

      addScrubber() {
        this.slider = make("input", { type: "range", min: "0", max: String(this.size - 1), step: "1" });
        this.slider.setAttribute("aria-label", "Event");
        // Its ends stand below the first and the last event, not below the edges; 8 px is half a thumb.
        this.slider.style.width = `calc(${100 * (this.size - 1) / this.size}% + 16px)`;
        this.slider.style.marginLeft = `calc(${50 / this.size}% - 8px)`;
        this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
        this.output = make("output");
        this.output.setAttribute("aria-live", "polite");
        this.plot.after(make("div", { className: "scrubber" }, this.slider, this.output));
        this.tooltip = make("div", { className: "tooltip", hidden: true });
        this.tooltip.setAttribute("role", "status");
        this.figure.append(this.tooltip);
      }

      /// The tip under the pointer, or the nearest within a finger's breadth on the same height.
      tipAt(event) {
        let best = null, least = 9;
        for (const tip of this.tips) {
          const box = tip.element.getBoundingClientRect();
          if (event.clientY < box.top - 3 || event.clientY > box.bottom + 3) continue;
          const distance = Math.max(box.left - event.clientX, event.clientX - box.right, 0);
          if (distance < least) { least = distance; best = tip; }
        }
        return best;
      }

      showTip(tip, event) {
        if (!tip) { this.tooltip.hidden = true; return; }
        this.tooltip.textContent = tip.text;
        this.tooltip.hidden = false;
        const frame = this.figure.getBoundingClientRect();
        const left = Math.min(event.clientX - frame.left + 12, frame.width - this.tooltip.offsetWidth - 4);
        this.tooltip.style.left = Math.max(0, left) + "px";
        this.tooltip.style.top = event.clientY - frame.top + 16 + "px";
      }

      pin(isPinned) {
        this.isPinned = isPinned;
        this.tooltip.classList.toggle("pinned", isPinned);
        if (!isPinned) this.tooltip.hidden = true;
      }

      nearest(event) {
        const frame = this.plot.getBoundingClientRect();
        const share = 100 * (event.clientX - frame.left) / frame.width;
        let best = 0, least = Infinity;
        for (let index = 0; index < this.size; index += 1) {
          const distance = Math.abs(this.across(2 * index + 1) - share);
          if (distance < least) { least = distance; best = index; }
        }
        return best;
      }

      listen() {
        const plot = this.plot;
        plot.setAttribute("tabindex", "0");
        plot.setAttribute("aria-keyshortcuts", "ArrowLeft ArrowRight + - 0 F T Escape");
        let drag = null;
        plot.addEventListener("pointermove", event => {
          if (drag) {
            const moved = event.clientX - drag.x;
            if (Math.abs(moved) > 4) drag.moved = true;
            if (drag.moved)
              this.look(
                drag.from - moved / plot.clientWidth * (drag.to - drag.from),
                drag.to - moved / plot.clientWidth * (drag.to - drag.from));
          } else if (!this.isPinned) {
            this.showTip(this.tipAt(event), event);
          }
        });
        plot.addEventListener("pointerleave", () => { if (!this.isPinned) this.tooltip.hidden = true; });
        plot.addEventListener("pointerdown", event => {
          if (event.button !== 0) return;
          drag = { x: event.clientX, from: this.from, to: this.to, moved: false };
          plot.setPointerCapture(event.pointerId);
        });
        const drop = () => { drag = null; };
        plot.addEventListener("pointercancel", drop);
        plot.addEventListener("pointerup", event => {
          const wasDragged = drag && drag.moved;
          drop();
          if (wasDragged) return;
          const tip = this.tipAt(event);
          this.pin(false);
          if (tip) { this.showTip(tip, event); this.pin(true); }
          const number = tip && tip.element.dataset.event;
          this.show(number ? this.events.indexOf(Number(number)) : this.nearest(event));
        });
        plot.addEventListener("wheel", event => {
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          const frame = plot.getBoundingClientRect();
          this.zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - frame.left) / frame.width);
        }, { passive: false });
        plot.addEventListener("keydown", event => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const at = Math.min(1, Math.max(0, this.across(2 * this.current + 1) / 100));
          const actions = {
            ArrowLeft: () => event.shiftKey ? this.pan(-0.2) : this.show(this.current - 1),
            ArrowRight: () => event.shiftKey ? this.pan(0.2) : this.show(this.current + 1),
            Home: () => this.show(0), End: () => this.show(this.size - 1),
            "+": () => this.zoom(0.6, at), "=": () => this.zoom(0.6, at), "-": () => this.zoom(1 / 0.6, at),
            "0": () => this.fit(), f: () => this.window.length && this.fitWindow(), t: () => this.toggleTime(),
            Escape: () => this.pin(false),
          };
          const action = actions[event.key] || actions[event.key.toLowerCase()];
          if (!action) return;
          event.preventDefault();
          action();
        });
        for (const link of this.figure.closest("section, article").querySelectorAll("a.event")) {
          link.addEventListener("click", event => {
            const index = this.events.indexOf(Number(link.dataset.event));
            if (index < 0) return;
            event.preventDefault();
            this.show(index);
            this.plot.scrollIntoView({ block: "nearest" });
            this.plot.focus({ preventScroll: true });
          });
        }
        new ResizeObserver(() => this.layout()).observe(plot);
      }
    }

    const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

    /// As Quantity.duration writes it.
    function duration(nanoseconds) {
      for (const [unit, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) {
        if (nanoseconds < unit) continue;
        const whole = Math.floor(nanoseconds / unit);
        const tenths = Math.floor(nanoseconds % unit * 10 / unit);
        if (whole >= 100) return `${grouped(whole)} ${name}`;
        return tenths ? `${whole}.${tenths} ${name}` : `${whole} ${name}`;
      }
      return `${nanoseconds} ns`;
    }

    for (const figure of document.querySelectorAll("figure.lifeline")) new Lifeline(figure);

    """#
}
