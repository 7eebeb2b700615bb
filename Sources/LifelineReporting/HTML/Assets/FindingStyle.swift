/// How findings look.
enum FindingStyle {
  static let text = """
    .overview { margin-bottom: 1.5rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface);
      overflow: hidden; }
    .overview li { border-top: 1px solid var(--hair); border-left: 4px solid var(--note); }
    .overview li:first-child { border-top: 0; }
    .overview .error { border-left-color: var(--error); }
    .overview .warning { border-left-color: var(--warning); }
    .overview a { display: block; padding: .5rem .9rem; color: inherit; text-decoration: none;
      overflow-wrap: anywhere; }
    .overview a:hover { background: var(--sunk); }
    .overview code { color: var(--soft); margin-right: .6em; }

    .finding { --tone: var(--note); margin-bottom: 1.75rem; padding: 1.5rem 1.75rem 1.25rem; background: var(--surface);
      border: 1px solid var(--edge); border-top: 4px solid var(--tone); border-radius: 4px 4px 8px 8px;
      box-shadow: var(--shadow); }
    .finding.error { --tone: var(--error); }
    .finding.warning { --tone: var(--warning); }
    .finding:target { outline: 2px solid var(--tone); outline-offset: 3px; }
    .finding .kind { color: var(--tone); font-size: .85rem; }
    .finding .severity { font-weight: 650; text-transform: capitalize; margin-right: .35rem; }
    .finding h3 { margin: .2rem 0; font-size: 1.3rem; font-weight: 650; letter-spacing: -.01em; }
    .finding .class { color: var(--soft); font-size: .86rem; overflow-wrap: anywhere; }
    .permalink { color: inherit; text-decoration: none; }
    .permalink:hover { text-decoration: underline; }
    .finding > header { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1.5rem; }
    .finding > header > * { grid-column: 1; }
    .finding > header > .copy { grid-column: 2; grid-row: 1 / span 2; align-self: start; }
    .story { max-width: 54rem; margin: 1.2rem 0; counter-reset: step; }
    .story li { counter-increment: step; position: relative; padding: 0 0 .75rem 2.2rem; overflow-wrap: anywhere; }
    .story li::before { content: counter(step); position: absolute; left: 0; top: .1em; width: 1.4rem; height: 1.4rem;
      border-radius: 50%; background: var(--sunk); color: var(--soft); font-size: .76rem; font-weight: 650;
      line-height: 1.4rem; text-align: center; }
    .story li:not(:last-child)::after { content: ""; position: absolute; left: .68rem; top: 1.65em; bottom: 0;
      border-left: 1px solid var(--edge); }
    .suggestion { max-width: 54rem; margin: 0 0 1.4rem; padding: .7rem 1rem; border-radius: 6px;
      background: var(--clean-wash); overflow-wrap: anywhere; }
    .suggestion strong { color: var(--clean); margin-right: .5em; }
    .cycle { margin: 0 0 1.4rem; }
    .cycle .scroll { margin-top: .4rem; background: var(--ground); max-height: none; }
    .cycle svg { display: block; margin: 0 auto; font: 12.5px var(--mono); }
    .cycle rect { fill: var(--surface); stroke: var(--life-edge); stroke-width: 1.5; }
    .cycle .object rect { fill: var(--life); }
    .cycle .context rect { stroke-dasharray: 5 3; }
    .cycle text { fill: var(--ink); }
    /* A slanted line goes through its label. */
    .cycle .label, .cycle .place { paint-order: stroke; stroke: var(--ground); stroke-width: 5px; }
    .cycle .object text, .cycle .context text { text-anchor: middle; }
    .cycle .place, .cycle .note { fill: var(--soft); font-size: 11.5px; }
    .cycle path { fill: none; stroke: var(--life-edge); stroke-width: 1.6; }
    .cycle .cut path { stroke: var(--error); stroke-width: 2.4; stroke-dasharray: 7 4; }
    .tip { fill: var(--life-edge); }
    .tip.cut { fill: var(--error); }
    .cycle .cut .label { fill: var(--error); font-weight: 650; }
    .tree, .tree ul { margin: 0; }
    .tree { padding: .6rem .9rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface);
      font-size: .9rem; }
    .tree ul { margin-left: .5rem; padding-left: 1rem; border-left: 1px solid var(--hair); }
    .tree li { padding: .12rem 0; overflow-wrap: anywhere; }
    .tree li:not(:has(> details)) { padding-left: 1.05rem; }
    .who { margin-bottom: 1.4rem; }
    .who h4 { margin-bottom: .4rem; }

    .backtraces { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr));
      gap: 1.5rem 2rem; margin-top: 1.5rem; }
    .backtrace { min-width: 0; border-top: 2px solid var(--edge); padding-top: .6rem; }
    .backtrace.fault { border-color: var(--error); }
    .backtrace.end { border-color: var(--life-edge); }
    .backtrace.held { border-color: var(--transient); }
    .backtrace h4 { font-size: .92rem; color: var(--ink); }
    .where { display: flex; flex-wrap: wrap; gap: 0 .9rem; color: var(--soft); font-size: .82rem; margin-bottom: .5rem;
      overflow-wrap: anywhere; }
    .frames > li { padding: .18rem 0; line-height: 1.45; }
    .frames .function { margin-right: .35em; }
    .frames .system, .frames .system code { color: var(--soft); }
    .frames .frames { margin: .2rem 0 .3rem .35rem; padding-left: .8rem; border-left: 1px solid var(--edge); }
    details.at > summary, details.library > summary, details.site > summary { list-style-position: outside;
      margin-left: 1rem; }
    details.at > summary { width: fit-content; }
    details > summary::marker { color: var(--soft); font-size: .8em; }
    .source { margin: .3rem 0 .5rem; padding: .4rem 0; overflow-x: auto; background: var(--sunk); border-radius: 5px;
      font-size: .78rem; line-height: 1.5; }
    .source code { display: inline-block; min-width: 100%; font-size: inherit; }
    .source code > * { display: inline-block; min-width: 100%; padding-right: .8rem; }
    .source mark { background: var(--mark-wash); color: inherit; box-shadow: inset 3px 0 var(--late-edge); }
    .source .number { display: inline-block; width: 3.2rem; padding-right: 1rem; text-align: right; color: var(--soft);
      user-select: none; }
    .markdown { margin-top: 1.25rem; color: var(--soft); font-size: .86rem; }
    .markdown pre { margin-top: .5rem; padding: .8rem; max-height: 24rem; overflow: auto; background: var(--sunk);
      border-radius: 5px; color: var(--ink); white-space: pre-wrap; overflow-wrap: anywhere; }
    .action { padding: .2rem .7rem; border: 1px solid var(--edge); border-radius: 5px; background: var(--surface);
      font-size: .82rem; cursor: pointer; }
    .action:hover { background: var(--sunk); }
    .action[aria-pressed="true"] { background: var(--sunk); border-color: var(--soft); }
    @media (max-width: 40rem) {
      .finding { padding: 1.1rem 1rem; margin-inline: -.5rem; }
      .finding h3 { font-size: 1.12rem; }
      .finding > header { display: block; }
      .copy { margin: .6rem 0 0; }
    }

    """
}
