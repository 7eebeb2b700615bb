/// The shapes of the figures: drawn once, explained below each.
enum FigureLegend {
  /// Symbols and patterns that all figures refer to.
  static let definitions: Markup = """
    <svg class="definitions" width="0" height="0" aria-hidden="true" focusable="false"><defs>
    <pattern id="hatch-hold" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
    <rect class="hatch-ground" width="6" height="6"/><rect class="hatch-line" width="2.5" height="6"/></pattern>
    <pattern id="hatch-dead" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">\
    <rect class="dead-line" width="1.5" height="7"/></pattern>
    <symbol id="mark-born" overflow="visible"><circle r="3.5"/></symbol>
    <symbol id="mark-final" overflow="visible"><path d="M0-5.5 5.5 0 0 5.5-5.5 0Z"/></symbol>
    <symbol id="mark-fault" overflow="visible"><circle class="ground" r="8"/><path d="M-4-4 4 4M4-4-4 4"/></symbol>
    <symbol id="mark-weak" overflow="visible"><circle r="3.5"/></symbol>
    <symbol id="mark-unowned" overflow="visible"><rect x="-3.5" y="-3.5" width="7" height="7"/></symbol>
    <marker id="mark-arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" \
    markerUnits="userSpaceOnUse" orient="auto"><path class="arrowhead" d="M0 0 10 5 0 10Z"/></marker>
    <marker id="mark-reference" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="9" markerHeight="9" \
    markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 0 10 5 0 10Z"/></marker>
    <marker id="mark-cut" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="9" markerHeight="9" \
    markerUnits="userSpaceOnUse" orient="auto"><path class="tip cut" d="M0 0 10 5 0 10Z"/></marker>
    </defs></svg>

    """

  static let markup: Markup = """
    <ul class="legend" aria-label="Legend">
    <li><svg width="22" height="14" aria-hidden="true">\
    <rect class="alive" width="22" height="14"/>\
    <rect class="count" y="7" width="22" height="7"/></svg>alive (height: reference count)</li>
    <li><svg width="14" height="14" aria-hidden="true">\
    <line class="retain" x1="4" x2="4" y1="1" y2="9"/>\
    <line class="release" x1="10" x2="10" y1="5" y2="13"/></svg>retain, release</li>
    <li><svg width="14" height="14" aria-hidden="true">\
    <use class="final" href="#mark-final" x="7" y="7"/></svg>final release</li>
    <li><svg width="22" height="14" aria-hidden="true">\
    <rect class="late" width="22" height="14"/></svg>late: no owner left</li>
    <li><svg width="22" height="14" aria-hidden="true"><rect class="dying" width="22" height="14"/></svg>deinit</li>
    <li><svg width="22" height="14" aria-hidden="true"><rect class="dead" width="22" height="14"/></svg>dead</li>
    <li><svg width="18" height="18" aria-hidden="true">\
    <use class="fault" href="#mark-fault" x="9" y="9"/></svg>used while dead</li>
    <li><svg width="18" height="18" aria-hidden="true">\
    <use class="near-miss" href="#mark-fault" x="9" y="9"/></svg>used without an owner</li>
    <li><svg width="22" height="14" aria-hidden="true">\
    <rect class="hold owner" y="3" width="22" height="9" rx="2"/></svg>held by an owner</li>
    <li><svg width="22" height="14" aria-hidden="true">\
    <rect class="hold transient" y="3" width="22" height="9" rx="2"/></svg>transient hold</li>
    <li><svg width="22" height="14" aria-hidden="true">\
    <rect class="window" width="22" height="14"/></svg>when it happened</li>
    </ul>
    """
}
