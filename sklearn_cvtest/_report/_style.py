"""The style sheet of pages."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --ground: #ffffff; --panel: #f6f8fa; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3;
  --line: #3d444d; --ground: #0d1117; --panel: #161b22; --link: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p, dl, ol { margin: .5rem 0; }
a { color: var(--link); }
.lead, figcaption, footer { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums;
  overflow-wrap: normal; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { border-bottom-width: 2px; overflow-wrap: normal; }
td { max-width: 20rem; overflow-wrap: anywhere; }
td[style*="left"] { min-width: 7.5rem; }
td:first-child { max-width: 38rem; }
td[style*="right"] { white-space: nowrap; }
tbody tr:hover { background: var(--panel); }
.verdict { font-size: 1.15rem; line-height: 1.45; margin: .6rem 0 1rem;
  padding: .7rem 1rem; background: var(--panel); border-left: 4px solid var(--link); }
details { border-top: 1px solid var(--line); }
details[open] { padding-bottom: 1rem; }
section + details { margin-top: 2rem; }
summary { cursor: pointer; padding: .6rem 0; }
summary h2 { display: inline; border: 0; margin: 0; padding: 0; font-size: 1.1rem; }
pre { margin: 0; padding: .8rem; background: var(--panel); font-size: .8rem;
  white-space: pre-wrap; }
figure { margin: 1rem 0; }
figure img { display: block; width: min(100%, 48rem); height: auto; background: #fff;
  border: 1px solid var(--line); border-radius: 4px; padding: .5rem; }
figcaption { font-size: .9rem; margin-top: .3rem; }
blockquote { margin: .5rem 0; padding: .2rem 1rem; background: var(--panel);
  border-left: 4px solid var(--line); }
dt { font-weight: 600; margin-top: .6rem; }
dd { margin: 0 0 0 1.2rem; }
code { font-size: .9em; }
footer { margin-top: 2.5rem; font-size: .85rem; }
@media screen and (prefers-color-scheme: dark) {
  figure img { filter: invert(.92) hue-rotate(180deg); border-color: #c2bbb2; } }
@media screen and (max-width: 40rem) {
  figure img { width: auto; border: 0; padding: 0; border-radius: 0; } }
@media print { :root { --ink: #000000; --soft: #333333; --line: #999999;
  --ground: #ffffff; --panel: #ffffff; --link: #000000; }
  main { max-width: none; padding: 0; }
  figure, tr, blockquote p { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .scroll { overflow: visible; } table { font-size: .7rem; }
  th, td { padding: .2rem .35rem; }
  td[style*="left"] { min-width: 4rem; }
  details::details-content { content-visibility: visible; display: block; } }
"""

# In a notebook its theme gives the colours, light or dark.
NOTEBOOK = """\
.sklearn-cvtest-comparison { max-width: 46em; line-height: 1.5; }
.sklearn-cvtest-comparison strong { display: block; padding-left: 0.7em;
  border-left: 3px solid #0072b2; font-size: 1.1em; font-weight: 600; }
.sklearn-cvtest-comparison table { margin: 0.8em 0; border-collapse: collapse;
  font-variant-numeric: tabular-nums; }
.sklearn-cvtest-comparison th { border-bottom: 1px solid currentColor; }
.sklearn-cvtest-comparison tbody tr { background: none; }
.sklearn-cvtest-comparison th, .sklearn-cvtest-comparison td {
  padding: 0.25em 1.2em 0.25em 0; }
"""
