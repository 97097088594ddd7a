/** The style sheet of the page: frames, raw figures, one typeface, no image and no address. */
export const PAGE_STYLE = `
:root {
  --ground: #0b0c0d; --panel: #131517; --sunk: #0e1011; --frame: #3b4147; --text: #e4e6e8;
  --dim: #a0a8b0; --danger: #ff6352; --danger-fill: #c21f0e; --warn: #ffb52e; --good: #74d291;
  --steel: #93bbdb; --cited-1: #3a1410; --cited-2: #2f230a; --cited-3: #13222e; --on-danger: #ffffff; --on-warn: #000000;
  --mono: ui-monospace, "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
* { box-sizing: border-box; border-radius: 0; }
html { background: var(--ground); scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 0 clamp(0.75rem, 3vw, 2.5rem) 3rem; max-width: 84rem;
  color: var(--text); font: 0.9375rem/1.55 var(--mono); overflow-wrap: anywhere;
}
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
a { color: inherit; }
a:focus-visible, button:focus-visible, pre:focus-visible { outline: 3px solid var(--warn); outline-offset: 2px; }
small { display: block; font-size: 0.8125rem; font-weight: 400; color: var(--dim); }
code, pre, del { font: inherit; }
.skip { position: absolute; left: -100rem; background: var(--warn); color: var(--on-warn); padding: 0.5rem 1rem; z-index: 1; }
.skip:focus { left: 0.5rem; top: 0.5rem; }
.hid { background: var(--danger-fill); color: var(--on-danger); padding: 0 0.2em; font-size: 0.85em; }

.top { border: 3px solid var(--frame); border-top: 0; background: var(--panel); }
.stripes { height: 0.75rem; background: repeating-linear-gradient(-45deg, var(--signal) 0 0.75rem, #000000 0.75rem 1.5rem); }
.top { --signal: var(--warn); }
.status-completed { --signal: var(--good); }
.status-failed, .status-cancelled { --signal: var(--danger); }
.mast { display: flex; flex-wrap: wrap; gap: 1.25rem 2rem; justify-content: space-between; align-items: flex-start; padding: 1.25rem clamp(0.9rem, 2.5vw, 1.75rem); }
.mast > div { flex: 1 1 24rem; min-width: 0; }
.brand { font-weight: 800; letter-spacing: 0.55em; font-size: 0.8125rem; color: var(--signal); }
h1 { font-size: clamp(1.35rem, 4.2vw, 2.3rem); line-height: 1.15; font-weight: 800; letter-spacing: -0.02em; text-transform: uppercase; margin: 0.35rem 0 0.9rem; }
h1 .subject { text-transform: none; }
.commits div { display: grid; grid-template-columns: 5rem 1fr; font-size: 0.8125rem; }
dt { color: var(--dim); text-transform: uppercase; letter-spacing: 0.08em; font-size: 0.75rem; }
.commits dt { line-height: 1.65; }
.stamp { border: 3px solid var(--signal); color: var(--signal); padding: 0.55rem 0.9rem; text-transform: uppercase; letter-spacing: 0.06em; }
.stamp span { display: block; font-size: 0.6875rem; letter-spacing: 0.2em; }
.stamp strong { font-size: 1.125rem; line-height: 1.2; }
.figures { display: grid; grid-template-columns: repeat(6, 1fr); border-top: 3px solid var(--frame); }
.figures li { padding: 0.75rem clamp(0.6rem, 1.5vw, 1.1rem); border-left: 3px solid var(--frame); min-width: 0; }
.figures li:first-child { border-left: 0; }
.figures strong { display: block; font-size: clamp(1.5rem, 3.6vw, 2.5rem); line-height: 1.1; font-weight: 800; letter-spacing: -0.04em; }
.figures span { font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.08em; }
.figures .danger { background: var(--danger-fill); color: var(--on-danger); }
.figures .warn { background: var(--warn); color: var(--on-warn); }
.figures .danger-line { color: var(--danger); box-shadow: inset 0 -5px 0 var(--danger); }
.figures .warn-line { color: var(--warn); box-shadow: inset 0 -5px 0 var(--warn); }
.figures .quiet { color: var(--dim); }
.rule { border-top: 3px solid var(--frame); padding: 0.6rem clamp(0.9rem, 2.5vw, 1.75rem); font-size: 0.75rem; color: var(--dim); }
.rule b { color: var(--text); text-transform: uppercase; letter-spacing: 0.06em; }

main { counter-reset: part; }
section { margin-top: 2.75rem; }
h2 { display: flex; align-items: center; gap: 0.8rem; font-size: 1rem; font-weight: 800; text-transform: uppercase; letter-spacing: 0.14em; margin-bottom: 1rem; }
h2::before { counter-increment: part; content: counter(part, decimal-leading-zero); background: var(--text); color: var(--ground); padding: 0.1rem 0.5rem; letter-spacing: 0; }
h2::after { content: ""; flex: 1; height: 3px; background: var(--frame); }
.none { color: var(--dim); }

table { width: 100%; border-collapse: separate; border-spacing: 0; border: 3px solid var(--frame); background: var(--panel); font-size: 0.8125rem; }
th, td { padding: 0.55rem 0.7rem; border-bottom: 1px solid var(--frame); text-align: right; vertical-align: top; overflow-wrap: normal; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { white-space: nowrap; color: var(--dim); font-size: 0.6875rem; font-weight: 400; text-transform: uppercase; letter-spacing: 0.06em; border-bottom: 3px solid var(--frame); vertical-align: bottom; }
th:first-child, thead th:nth-child(2), .state { text-align: left; }
tbody th { box-shadow: inset 6px 0 0 var(--good); padding-left: 1.1rem; overflow-wrap: anywhere; min-width: 14rem; }
.name { font-weight: 800; font-size: 0.9375rem; }
.bad th { box-shadow: inset 6px 0 0 var(--danger); }
.bad .state, .bad .note { color: var(--danger); }
.good .state { color: var(--good); }
.state { text-transform: uppercase; letter-spacing: 0.04em; }
.zero { color: var(--dim); }

.filters { display: flex; flex-wrap: wrap; gap: 0.75rem 1.75rem; border: 3px solid var(--frame); background: var(--panel); padding: 0.75rem; margin-bottom: 1rem; }
.filters[hidden], [data-priority][hidden] { display: none; }
.group { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
.label { color: var(--dim); font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.08em; margin-right: 0.25rem; }
button { font: inherit; font-size: 0.8125rem; min-height: 2.25rem; padding: 0.3rem 0.75rem; color: var(--dim); background: var(--sunk); border: 2px solid var(--frame); cursor: pointer; text-align: left; overflow-wrap: anywhere; max-width: 100%; }
button:hover { border-color: var(--text); }
button[aria-pressed="true"] { color: var(--ground); background: var(--text); border-color: var(--text); font-weight: 700; }
button[aria-pressed="false"] { text-decoration: line-through; }
output { color: var(--dim); font-size: 0.8125rem; }
.index { border: 3px solid var(--frame); background: var(--panel); margin-bottom: 1.5rem; }
.index li + li { border-top: 1px solid var(--frame); }
.index a { display: grid; grid-template-columns: 3.25rem minmax(0, 3fr) minmax(0, 2fr); gap: 0.9rem; align-items: baseline; padding: 0.4rem 0.75rem; text-decoration: none; font-size: 0.8125rem; }
.index a:hover { background: var(--sunk); text-decoration: underline; }
.index a:focus-visible { outline-offset: -3px; }
.at { color: var(--dim); font-size: 0.8125rem; }
.index .at { text-align: right; }
.prio { font-weight: 800; padding: 0.05rem 0.55rem; background: var(--frame); color: var(--text); }
.p1 .prio { background: var(--danger-fill); color: var(--on-danger); }
.p2 .prio { background: var(--warn); color: var(--on-warn); }

.finding { border: 3px solid var(--frame); border-left: 0; padding-left: 10px; box-shadow: inset 10px 0 0 var(--edge); background: var(--panel); margin-bottom: 1.5rem; }
.p1 { --edge: var(--danger-fill); --mark: var(--danger); --cited: var(--cited-1); }
.p2 { --edge: var(--warn); --mark: var(--warn); --cited: var(--cited-2); }
.p3 { --edge: var(--steel); --mark: var(--steel); --cited: var(--cited-3); }
.finding:target { border-color: var(--text); }
.finding > header { padding: 0.85rem 1rem; }
.tags { display: flex; flex-wrap: wrap; gap: 0.4rem; font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.05em; }
.raw { text-transform: none; letter-spacing: 0; }
.tag { padding: 0.05rem 0.55rem; box-shadow: inset 0 0 0 1px var(--frame); color: var(--dim); }
.verdict-confirmed { color: var(--good); box-shadow: inset 0 0 0 1px var(--good); }
.verdict-inaccurate, .verdict-unverified { color: var(--warn); box-shadow: inset 0 0 0 1px var(--warn); }
.verdict-hallucinated { color: var(--on-danger); background: var(--danger-fill); box-shadow: none; }
h3 { font-size: clamp(1rem, 2.4vw, 1.25rem); line-height: 1.3; font-weight: 800; margin-top: 0.55rem; }
h3 a { text-decoration: none; }
h3 a:hover { text-decoration: underline; }
.id { color: var(--dim); font-weight: 400; }
h4 { font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.12em; color: var(--dim); margin: 1rem 0 0.3rem; }
.body { padding: 0 1rem 1rem; }
.body p { max-width: 78ch; }
.body p + p, .body p + pre, .body pre + p { margin-top: 0.6rem; }
.body p code, .path code { background: var(--sunk); box-shadow: inset 0 0 0 1px var(--frame); padding: 0.02em 0.3em; }
pre { background: var(--sunk); border: 1px solid var(--frame); padding: 0.6rem 0.8rem; overflow-x: auto; overflow-wrap: normal; white-space: pre; font-size: 0.8125rem; tab-size: 4; margin: 0; }
.listing { border-top: 1px solid var(--frame); border-bottom: 1px solid var(--frame); }
figcaption { padding: 0.3rem 1rem; font-size: 0.8125rem; color: var(--steel); border-bottom: 1px solid var(--frame); }
.listing pre { border: 0; padding: 0.5rem 0; }
.listing code { display: inline-block; min-width: 100%; }
.row { display: block; padding-right: 1rem; color: inherit; background: none; }
.no { display: inline-block; width: 6ch; padding-right: 1ch; margin-right: 1.2ch; text-align: right; color: var(--dim); border-right: 1px solid var(--frame); user-select: none; }
.row > .src:first-child { padding-left: 1rem; }
.cited { background: var(--cited); box-shadow: inset 5px 0 0 var(--mark); }
.cited .no { color: var(--mark); font-weight: 800; border-right-color: var(--mark); }
.t-comment { color: var(--dim); font-style: italic; }
.t-text { color: var(--good); }
.t-number { color: var(--steel); }
.t-word { color: var(--warn); }
.path { border-left: 3px solid var(--mark); margin-left: 5px; padding-left: 1.1rem; }
.path li { position: relative; padding: 0.15rem 0; font-size: 0.8125rem; }
.path li::before { content: ""; position: absolute; left: calc(-1.1rem - 8px); top: 0.5rem; width: 13px; height: 13px; background: var(--panel); border: 3px solid var(--mark); }
.path li:last-child::before { background: var(--mark); }
.path b { display: inline-block; min-width: 4.5rem; text-transform: uppercase; letter-spacing: 0.06em; }
.facts { margin-top: 1.1rem; border-top: 1px solid var(--frame); font-size: 0.8125rem; }
.facts div { display: grid; grid-template-columns: 8rem 1fr; gap: 0.75rem; padding: 0.3rem 0; border-bottom: 1px solid var(--frame); }
.facts dt { line-height: 1.7; }
del { color: var(--dim); text-decoration: line-through 2px var(--danger); }

.refuted, .unread { border: 3px dashed var(--frame); padding: 0.85rem 1rem; margin-bottom: 1rem; }
.refuted .claim { font-weight: 800; margin-top: 0.55rem; }
.refuted pre, .unread pre { margin-top: 0.6rem; }
.why { margin-top: 0.6rem; color: var(--danger); }
.bar { display: block; width: 100%; height: 1rem; margin: 0.5rem 0 1rem; }
.bar .full { fill: var(--good); }
.bar .void { fill: var(--danger-fill); }
.gaps, .notes { border: 3px solid var(--frame); background: var(--panel); font-size: 0.8125rem; }
.gaps li { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: 0.25rem 1rem; padding: 0.45rem 0.85rem; }
.notes li { padding: 0.45rem 0.85rem; }
.gaps li + li, .notes li + li { border-top: 1px solid var(--frame); }
.gaps .at { color: var(--text); }
.health-healthy b { color: var(--good); }
.health-warning b { color: var(--warn); }
.health-rotted b { color: var(--danger); }
footer { margin-top: 3rem; }

@media (max-width: 62rem) {
  .reviewers thead { position: absolute; left: -100rem; }
  .reviewers, .reviewers tbody { display: block; }
  .reviewers tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.25rem, 1fr)); box-shadow: inset 6px 0 0 var(--good); padding: 0.6rem 0.75rem 0.6rem 1.1rem; gap: 0.4rem 0.5rem; }
  .reviewers tr + tr { border-top: 3px solid var(--frame); }
  .reviewers tr.bad { box-shadow: inset 6px 0 0 var(--danger); }
  .reviewers tbody th, .reviewers td { border: 0; box-shadow: none; padding: 0; text-align: left; min-width: 0; }
  .reviewers tbody th, .reviewers .state { grid-column: 1 / -1; }
  .reviewers td::before { content: attr(data-label); display: block; color: var(--dim); font-size: 0.6875rem; text-transform: uppercase; letter-spacing: 0.06em; }
  .reviewers .state::before { content: none; }
}
@media (max-width: 40rem) {
  .figures { grid-template-columns: repeat(3, 1fr); }
  .figures li:nth-child(4) { border-left: 0; }
  .figures li:nth-child(n + 4) { border-top: 3px solid var(--frame); }
  .figures span { letter-spacing: 0; }
  .stamp { width: 100%; }
  .index a { grid-template-columns: 3.25rem 1fr; gap: 0 0.9rem; }
  .index .at { grid-column: 2; text-align: left; }
  .facts div, .gaps li { grid-template-columns: 1fr; gap: 0; }
  .no { width: 5ch; margin-right: 0.8ch; }
  .path .at { display: block; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
  button { transition: background-color 80ms linear; }
}
@media (forced-colors: active) {
  .cited { outline: 1px solid; }
}
@media print {
  :root {
    --ground: #ffffff; --panel: #ffffff; --sunk: #ffffff; --frame: #8c8c8c; --text: #000000; --dim: #4a4a4a;
    --danger: #a31405; --danger-fill: #a31405; --warn: #7a4f00; --good: #14602c; --steel: #1d4a6e;
    --cited-1: #f6e3e0; --cited-2: #f5ecd9; --cited-3: #e3edf5; --on-warn: #ffffff;
  }
  body { max-width: none; padding: 0; font-size: 9pt; }
  .filters, .skip { display: none; }
  .finding, .refuted, .unread, tr, .mast { break-inside: avoid; }
  h2, h3, h4, figcaption { break-after: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: visible; }
  .figures li, .prio, .tag, .cited, .stripes, .bar { print-color-adjust: exact; }
}
`;
