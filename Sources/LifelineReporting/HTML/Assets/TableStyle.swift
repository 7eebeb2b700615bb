/// How tables look.
enum TableStyle {
  static let text = """
    .scroll { overflow: auto; max-height: 34rem; border: 1px solid var(--edge); border-radius: 8px;
      background: var(--surface); }
    table { width: 100%; border-collapse: separate; border-spacing: 0; font-size: .86rem; }
    th, td { padding: .42rem .7rem; text-align: left; vertical-align: top; border-top: 1px solid var(--hair); }
    thead th { position: sticky; top: 0; z-index: 1; background: var(--surface); border-top: 0;
      border-bottom: 1px solid var(--edge); color: var(--soft); font-weight: 550; font-size: .78rem;
      white-space: nowrap; }
    tbody tr:first-child > * { border-top: 0; }
    tbody th { font-weight: 450; }
    .holds tbody th, .holds td:nth-child(6), .holds td:nth-child(7), .events td:last-child,
      .sortable td:last-child:not(.n) { min-width: 13rem; }
    .sortable tbody th { min-width: 17rem; }
    section > .quiet { margin-bottom: .8rem; }
    @media (max-width: 40rem) { .sortable tbody th { min-width: 12rem; } }
    .events td { white-space: nowrap; }
    .events td:last-child { white-space: normal; }
    tbody tr:hover > * { background: color-mix(in srgb, var(--sunk) 55%, transparent); }
    .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    thead button { display: inline-flex; gap: .3em; padding: 0; border: 0; background: none; font: inherit;
      color: inherit; cursor: pointer; }
    thead button::after { content: "↕"; opacity: .35; }
    [aria-sort="ascending"] button::after { content: "↑"; opacity: 1; }
    [aria-sort="descending"] button::after { content: "↓"; opacity: 1; }
    [aria-sort] { color: var(--ink); }
    .search { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .8rem; margin-bottom: .7rem; }
    .search input { width: 20rem; max-width: 100%; padding: .35rem .7rem; border: 1px solid var(--edge);
      border-radius: 6px; background: var(--surface); }
    .search output { color: var(--soft); font-size: .85rem; }
    .sparkline { display: block; width: 7rem; height: 1.45rem; }
    .sparkline .area { fill: var(--life); }
    .sparkline .curve { fill: none; stroke: var(--life-edge); stroke-width: 1.3; vector-effect: non-scaling-stroke; }
    details.table { margin-top: .5rem; font-size: .9rem; }
    details.table > summary { width: fit-content; color: var(--soft); }
    details.table > summary code { color: var(--ink); }
    details.table > .scroll, details.table > table { margin: .5rem 0 1rem; }
    .counters { width: auto; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); }
    tr.fault > *, tr.fault code { color: var(--error); }
    tr:target > *, tr.current > * { background: var(--mark-wash); }
    .tag.transient { background: var(--transient-ground); color: var(--warning); }
    .tag.owner { background: var(--life); color: var(--ink); }

    """
}
