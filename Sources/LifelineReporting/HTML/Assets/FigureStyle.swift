/// How the lifeline view looks.
enum FigureStyle {
  static let text = """
    .lifeline { position: relative; margin: 1.25rem 0; padding-top: .9rem; border-top: 1px solid var(--edge); }
    .lifeline figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem 1rem;
      margin-bottom: .5rem; }
    .lifeline figcaption h4 { font-size: .92rem; color: var(--ink); }
    .lifeline figcaption p { color: var(--soft); font-size: .84rem; }
    .plot { display: block; border: 1px solid var(--edge); border-radius: 6px; background: var(--surface);
      font: 11.5px var(--sans); }
    .plot text { fill: var(--soft); }
    .plot .name { font-size: 13px; font-weight: 650; fill: var(--ink); }
    .plot .role { font-size: 11.5px; font-weight: 400; fill: var(--soft); }
    .plot .name, .plot .lane { paint-order: stroke; stroke: var(--surface); stroke-width: 3px; stroke-linejoin: round; }
    .axis text { font-variant-numeric: tabular-nums; text-anchor: middle; fill: var(--ink); }
    .axis .time { font-size: 10.5px; fill: var(--soft); }
    .axis .start { text-anchor: start; }
    .axis .end { text-anchor: end; }
    .divider { stroke: var(--hair); }
    .alive { fill: var(--life); }
    .count { fill: var(--count); }
    .late { fill: var(--late); fill-opacity: .8; }
    .dying { fill: var(--dying); }
    .dead { fill: url(#hatch-dead); stroke: var(--error); stroke-dasharray: 3 3; background: var(--dead-wash); }
    .dead-line { fill: var(--error); opacity: .55; }
    .retain, .release { stroke: var(--life-edge); stroke-width: 2; stroke-linecap: round; }
    .release { stroke: var(--soft); }
    .end { stroke: var(--ink); stroke-width: 1.5; }
    .axis .end { stroke: none; }
    .born { fill: var(--life-edge); }
    .final { fill: var(--ink); stroke: var(--surface); stroke-width: 1.5; }
    .fault { stroke: var(--error); stroke-width: 2.4; stroke-linecap: round; }
    tr.fault { stroke: none; }
    .near-miss { stroke: var(--warning); stroke-width: 2.4; stroke-linecap: round; }
    .ground { fill: var(--surface); stroke-width: 1.2; }
    .weak { fill: var(--surface); stroke: var(--soft); stroke-width: 1.5; }
    .hold.owner { fill: var(--owner); }
    .hold.transient { fill: url(#hatch-hold); stroke: var(--late-edge); }
    .hold.open { stroke: var(--ink); stroke-dasharray: 4 2; }
    .hatch-ground { fill: var(--transient-ground); }
    .hatch-line { fill: var(--transient); }
    .activity { fill: var(--transient); fill-opacity: .09; }
    .window { fill: var(--error); fill-opacity: .08; stroke: var(--error); stroke-opacity: .45; stroke-dasharray: 2 3; }
    .message { stroke: var(--error); stroke-width: 1.6; }
    .arrowhead { fill: var(--error); }
    .cursor { stroke: var(--ink); stroke-width: 1; }
    .bracket { fill: var(--late-edge); }
    .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: .55rem 0 .7rem; color: var(--soft);
      font-size: .78rem; }
    .legend li { display: inline-flex; align-items: center; gap: .4rem; }
    .legend svg { overflow: visible; flex: none; }

    .controls { display: flex; flex-wrap: wrap; gap: .35rem; margin-bottom: .5rem; }
    .controls .hint { align-self: center; margin-left: .4rem; color: var(--soft); font-size: .78rem; }
    @media (hover: none) { .controls .hint { display: none; } }
    .lifeline .plot:focus-visible { outline-offset: 1px; }
    .js .plot { touch-action: pan-y; cursor: crosshair; }
    .scrubber { margin-top: .5rem; }
    .scrubber input { display: block; width: 100%; margin: 0; accent-color: var(--life-edge); }
    .scrubber output { display: block; padding: .5rem .75rem; margin-top: .35rem; border-radius: 6px;
      background: var(--sunk); font-size: .86rem; }
    .scrubber b { font-weight: 600; }
    .scrubber .holders { display: block; padding-left: 1rem; color: var(--soft); overflow-wrap: anywhere; }
    .scrubber .state { display: block; margin-top: .15rem; overflow-wrap: anywhere; }
    .tooltip { position: absolute; z-index: 6; max-width: min(30rem, 90%); padding: .5rem .7rem;
      border: 1px solid var(--edge); border-radius: 6px; background: var(--surface);
      box-shadow: 0 4px 18px rgb(0 0 0 / .18); font-size: .8rem; line-height: 1.45; white-space: pre-wrap;
      overflow-wrap: anywhere; pointer-events: none; }
    .tooltip::first-line { font-weight: 600; }
    .tooltip.pinned { border-color: var(--soft); pointer-events: auto; user-select: text; }

    """
}
