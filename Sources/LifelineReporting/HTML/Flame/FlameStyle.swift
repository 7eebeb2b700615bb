/// How the page of a profile looks.
enum FlameStyle {
  static let page = PageStyle.colors + PageStyle.layout + TableStyle.text + text

  /// Frames have three shades per kind, so that neighbors can be distinguished; every label has a contrast of 4.5 or
  /// more.
  private static let text = """

    :root {
      --own-0: #f6c78f; --own-1: #f2b56b; --own-2: #f7d6a8; --system-0: #cfdae3; --system-1: #bfcdd9;
      --system-2: #dee6ec;
      --more: #e8705f; --less: #6aa5e0; --same: #e3e5e3; --match: #d9a5e8; --frame-ink: #1b1f23;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --own-0: #8a5a1c; --own-1: #754a14; --own-2: #9c6a2a; --system-0: #3a4a57; --system-1: #32404c;
        --system-2: #455663;
        --more: #a8382a; --less: #2f67a0; --same: #3a4147; --match: #77408a; --frame-ink: #f4f5f6;
      }
    }
    .flame-controls { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .9rem; margin-bottom: .6rem;
      font-size: .86rem; }
    .flame-controls label { display: inline-flex; align-items: center; gap: .4rem; color: var(--soft); }
    .flame-controls select, .flame-controls input, .flame-controls button { padding: .3rem .6rem;
      border: 1px solid var(--edge); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; }
    .flame-controls input { width: 15rem; max-width: 100%; }
    .flame-controls .hint { color: var(--soft); font-size: .78rem; }
    .flame-controls output { color: var(--soft); }
    .legend { margin-bottom: .5rem; color: var(--soft); font-size: .78rem; }
    .swatch { display: inline-block; width: .8rem; height: .8rem; margin-left: .8rem; border-radius: 2px;
      vertical-align: -.1rem; }
    .swatch:first-child { margin-left: 0; }
    .swatch.own { background: var(--own-0); } .swatch.system { background: var(--system-0); }
    .swatch.more { background: var(--more); } .swatch.less { background: var(--less); }
    .flame { position: relative; overflow-x: hidden; overflow-y: auto; max-height: 70vh; border: 1px solid var(--edge);
      border-radius: 6px; background: var(--surface); }
    html:not(.js) .flame, html:not(.js) .flame-detail { display: none; }
    #flame h2 { margin-top: 1rem; }
    .frame { position: absolute; height: 20px; padding: 0 4px; overflow: hidden; white-space: nowrap;
      text-overflow: ellipsis; border-radius: 2px; font: 12px/20px var(--sans); color: var(--frame-ink);
      cursor: pointer; border: 0 solid var(--surface); border-right-width: 1px; }
    .frame.narrow { padding: 0; }
    .frame.around { opacity: .6; }
    .frame.match { background: var(--match) !important; }
    .frame.current { outline: 2px solid var(--link); outline-offset: -2px; }
    .flame-detail { display: block; min-height: 3.2rem; margin-top: .5rem; padding: .5rem .75rem; border-radius: 6px;
      background: var(--sunk); font-size: .86rem; white-space: pre-line; overflow-wrap: anywhere; }
    @media print { .flame-controls { display: none; } .flame { max-height: none; } }

    """
}
