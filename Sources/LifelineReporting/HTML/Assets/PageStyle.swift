/// The page's style sheet: system fonts, one column, light and dark, readable from 400 px to paper.
enum PageStyle {
  static let text = colors + layout + FindingStyle.text + TableStyle.text + FigureStyle.text + print

  /// Every pair of text and background has a contrast of at least 4.5.
  static let colors = """

    :root {
      color-scheme: light dark;
      --ground: #f6f6f3; --surface: #fff; --sunk: #efefeb; --edge: #d9dad5; --hair: #e8e8e4;
      --ink: #1b1f23; --soft: #545c64; --link: #1a5596;
      --error: #a8281e; --error-wash: #fbeeec; --warning: #835400; --warning-wash: #fbf3e0;
      --note: #3f5468; --note-wash: #edf1f5; --clean: #1c6a3c; --clean-wash: #e9f4ec;
      --life: #d5e3ef; --count: #8fb4d3; --life-edge: #3f709a; --late: #f1c15b; --late-edge: #a06a00;
      --dying: #cdc8d8; --dead-wash: #f7e4e1; --owner: #4d7ea8; --transient: #e0a030; --transient-ground: #fdf0d4;
      --mark-wash: #fff3c9; --shadow: 0 1px 2px rgb(20 24 28 / .05), 0 4px 16px rgb(20 24 28 / .05);
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
      --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --ground: #14171a; --surface: #1b1f23; --sunk: #23282d; --edge: #373e45; --hair: #292f35;
        --ink: #e4e7ea; --soft: #a3acb5; --link: #8fbdf0;
        --error: #ff9b8e; --error-wash: #3a201d; --warning: #ecc06a; --warning-wash: #352a15;
        --note: #b3c5d6; --note-wash: #242d35; --clean: #83d19d; --clean-wash: #1a3022;
        --life: #23394b; --count: #3d6a8f; --life-edge: #7fb2dc; --late: #94691a; --late-edge: #f0bd55;
        --dying: #4b465a; --dead-wash: #3a2220; --owner: #6a9fcb; --transient: #d39a33; --transient-ground: #3a2e17;
        --mark-wash: #453a17; --shadow: none;
      }
    }

    """

  static let layout = """
    *, ::before, ::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-padding-top: 3.5rem; }
    body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 var(--sans); }
    .masthead, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
    h1, h2, h3, h4, p, ol, ul, dl, dd, figure, pre { margin: 0; padding: 0; }
    h1, h2, h3 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
    h2 { font-size: 1.3rem; font-weight: 650; letter-spacing: -.01em; margin: 3rem 0 1rem; }
    h4 { font-size: .8rem; font-weight: 650; color: var(--soft); }
    code, pre { font-family: var(--mono); font-size: .86em; unicode-bidi: isolate; }
    code { overflow-wrap: anywhere; }
    a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
    ol, ul { list-style: none; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
    summary { cursor: pointer; }
    button, input { font: inherit; color: inherit; }
    .quiet, .place { color: var(--soft); }
    .place { font-size: .86em; overflow-wrap: anywhere; unicode-bidi: isolate; }
    .left-out { margin-top: 1rem; padding: .6rem .9rem; border: 1px dashed var(--edge); border-radius: 6px;
      color: var(--soft); }
    .tag { display: inline-block; padding: 0 .4em; border-radius: 3px; background: var(--sunk); color: var(--soft);
      font-size: .76rem; white-space: nowrap; }
    .skip { position: absolute; left: -100rem; }
    .skip:focus { left: 1rem; top: 1rem; z-index: 9; padding: .5rem 1rem; background: var(--surface); }
    .definitions { position: absolute; }
    .hushed { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }

    .masthead { padding-top: 2rem; padding-bottom: 1.25rem; }
    .product { display: flex; align-items: center; gap: .5rem; color: var(--soft); font-size: .85rem; }
    .product svg { fill: none; stroke: var(--life-edge); stroke-width: 1.6; stroke-linejoin: round;
      stroke-linecap: round; }
    .product circle { fill: var(--error); stroke: none; }
    .run { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; margin: .5rem 0 1.1rem; }
    h1 { font-size: 1.9rem; font-weight: 680; letter-spacing: -.02em; }
    .verdict { padding: .15rem .75rem; border-radius: 99px; font-weight: 600; font-size: .9rem; }
    .verdict.error { background: var(--error-wash); color: var(--error); }
    .verdict.warning { background: var(--warning-wash); color: var(--warning); }
    .verdict.clean { background: var(--clean-wash); color: var(--clean); }
    .verdict.none, .reason { background: var(--note-wash); color: var(--note); }
    .reason { max-width: 50rem; margin-bottom: 1.1rem; padding: .7rem 1rem; border-radius: 6px; }
    .facts { display: flex; flex-wrap: wrap; gap: .6rem 2.2rem; }
    .facts dt { color: var(--soft); font-size: .78rem; }
    .facts dd { font-variant-numeric: tabular-nums; font-weight: 550; overflow-wrap: anywhere; }

    .sections { position: sticky; top: 0; z-index: 5; background: var(--ground); border-block: 1px solid var(--edge);
      display: flex; gap: .2rem; overflow-x: auto; padding: .35rem max(.75rem, calc((100vw - 76rem) / 2 + .75rem)); }
    .sections a { padding: .25rem .75rem; border-radius: 5px; color: var(--ink); text-decoration: none;
      font-size: .88rem; white-space: nowrap; }
    .sections a:hover { background: var(--sunk); }
    main:focus { outline: none; }
    footer { margin-top: 4rem; padding-top: 1.2rem; padding-bottom: 3rem; color: var(--soft); font-size: .85rem;
      border-top: 1px solid var(--edge); }

    #recording h3, #gate h3, #exploration h3 { font-size: 1rem; margin: 1.6rem 0 .6rem; }
    #exploration ol { list-style: none; margin-bottom: .8rem; }
    .remarks { max-width: 60rem; padding-left: 1.1rem; list-style: disc; }
    .remarks li { margin-bottom: .3rem; overflow-wrap: anywhere; }
    .details > div { display: grid; grid-template-columns: 8rem 1fr; padding: .35rem 0;
      border-top: 1px solid var(--hair); }
    .details dt { color: var(--soft); }
    @media (max-width: 40rem) {
      .masthead, main, footer { padding-inline: 1rem; }
      h1 { font-size: 1.5rem; }
      .facts { gap: .5rem 1.5rem; }
      .details > div { grid-template-columns: 1fr; }
    }

    """

  private static let print = """
    @media print {
      :root { color-scheme: light; --ground: #fff; --surface: #fff; --shadow: none; }
      body { font-size: 10pt; }
      .masthead, main, footer { max-width: none; padding-inline: 0; }
      .sections, .skip, .controls, .scrubber, .copy, .markdown, .search, .tooltip { display: none; }
      .finding { break-inside: auto; border: 0; padding: 0; box-shadow: none; }
      .frames li, .story li, tr, svg { break-inside: avoid; }
      h2, h3, h4 { break-after: avoid; }
      .scroll { overflow: visible; max-height: none; }
      th, td { min-width: 0 !important; padding-inline: .3rem; }
      .source { white-space: pre-wrap; }
      a { color: inherit; text-decoration: none; }
    }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

    """
}
