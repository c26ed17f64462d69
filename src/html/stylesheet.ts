/** Shows rows as blocks: cells flow one after another, each after its column title; the first is on a line of its own. */
export const blocks = (of: string) =>
  `${of},${of} caption,${of} thead,${of} tbody{display:block}${of} thead{display:none}${of}.sortable thead{display:block}${of} tr{display:flex;flex-wrap:wrap;gap:.2rem 1rem;border-bottom:1px solid var(--line);padding:.4rem 0}${of}.sortable thead tr{gap:.2rem .9rem;align-items:baseline}${of}.sortable thead tr::before{content:"Sort by"}${of}.sortable thead th{border:0;padding:.2rem 0}${of} td,${of} td.number{border:0;padding:0;min-width:0;max-width:100%;text-align:left}${of} td:first-child{flex-basis:100%}${of}.findings td:first-child{flex-basis:auto}${of} td.none{display:none}${of} td[data-title]::before{content:attr(data-title) ": ";color:var(--soft)}`

/** The stylesheet of reports, for screens from 320 px, light and dark, and print. Loads no other resources. */
export const stylesheet = `:root{color-scheme:light dark;--page:#fff;--card:#f5f6f8;--text:#1a1f29;--soft:#525c6b;--line:#d3d8e0;--link:#0a4fb8;--bad:#a8201a;--bad-card:#fdecea;--warn:#744600;--warn-card:#fff3d9;--good:#126030;--good-card:#e5f4ea;--plain-card:#eceef2;--critical:#a8201a;--high:#b3540a;--medium:#8a6100;--low:#2b62a8;--info:#647084}
@media (prefers-color-scheme:dark){:root{--page:#14171d;--card:#1d2129;--text:#e6e9ee;--soft:#a9b2c0;--line:#363c48;--link:#8ab8ff;--bad:#ff9c94;--bad-card:#3a1a1a;--warn:#f5c66a;--warn-card:#36290f;--good:#84d8a0;--good-card:#14301f;--plain-card:#262b35;--critical:#ff8b82;--high:#ffab6b;--medium:#f0cc66;--low:#8fbcff;--info:#a9b2c0}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:75rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.5rem}
h1{font-size:1.75rem;line-height:1.2;margin:0}
h1 small{font-size:1rem;font-weight:400;color:var(--soft)}
h2{font-size:1.3rem;line-height:1.3;margin:2.5rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.5rem 0 .25rem}
p{margin:.35rem 0}
a{color:var(--link)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
.command{background:var(--card);border:1px solid var(--line);border-radius:.25rem;padding:.1rem .35rem}
.soft,.note,.days,caption,figcaption{color:var(--soft)}
.note{font-size:.92rem}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.5rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.verdict{margin:1rem 0;padding:.75rem 1rem;border-radius:.5rem;border-left:.4rem solid var(--soft);background:var(--plain-card)}
.verdict strong{font-size:1.25rem;display:block}
.verdict.failed{border-color:var(--bad);background:var(--bad-card)}
.verdict.undecided{border-color:var(--warn);background:var(--warn-card)}
.verdict.passed{border-color:var(--good);background:var(--good-card)}
.cards{list-style:none;margin:1rem 0;padding:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,10.5rem),1fr));gap:.75rem}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem}
.cards b{display:block;font-size:1.5rem;line-height:1.3;font-weight:650}
.cards .label{color:var(--soft);font-size:.9rem}
.cards .label,.cards .more{display:block}
.cards .more{font-size:.9rem}
.bad{color:var(--bad)}.warn{color:var(--warn)}.good{color:var(--good)}
.critical{color:var(--critical);fill:var(--critical)}.high{color:var(--high);fill:var(--high)}.medium{color:var(--medium);fill:var(--medium)}.low{color:var(--low);fill:var(--low)}.info{color:var(--info);fill:var(--info)}
.severity{font-weight:650;white-space:nowrap}
.bar{display:block;width:100%;height:.5rem;margin:.4rem 0 .2rem;border-radius:.25rem}
nav ul{list-style:none;margin:1rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}
nav a{display:inline-block;padding:.2rem 0}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem;font-size:.95rem}
caption{text-align:left;padding:.25rem 0;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line)}
td:not(.number){min-width:5.5rem}
td:first-child{min-width:7.5rem}
.word{white-space:nowrap}
th{font-size:.88rem;color:var(--soft);overflow-wrap:normal}
td.number,th.number{text-align:right;padding-right:1.25rem}
td.number,time{white-space:nowrap}
th.number .sort{text-align:right}
.sort{all:unset;cursor:pointer;font-weight:700}
.sort:focus-visible{outline:3px solid var(--link);outline-offset:2px}
[aria-sort] .sort::after{content:" \\2193"}
[aria-sort=ascending] .sort::after{content:" \\2191"}
ol.fixes{padding-left:2rem}
ol.fixes li{margin:.6rem 0}
ul.plain{padding-left:1.2rem}
ul.names{columns:18rem;padding-left:1.2rem}
dl{display:grid;grid-template-columns:minmax(8rem,12rem) 1fr;gap:.25rem 1rem;margin:.5rem 0}
dt{color:var(--soft)}dd{margin:0;min-width:0}
details{border-top:1px solid var(--line)}
summary{cursor:pointer;padding:.5rem 0}
summary h3{display:inline;font-size:1rem;margin:0}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:.5rem 0 1rem}
.tools p{flex-basis:100%;min-height:1.5em;margin:0}
.tools label{display:inline-block;max-width:100%}
input,select,.tools button,.copy{font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.3rem;padding:.25rem .5rem;max-width:100%}
.copy{font-size:.8rem;padding:0 .4rem}
.charts{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr))}
.chart{margin:0;color:var(--link)}
.chart svg{width:100%;height:7rem;overflow:visible;display:block}
.plot{position:relative;padding:.3rem .3rem .3rem 3.5rem}
.most,.least{position:absolute;left:0;font-size:.85rem;color:var(--soft)}
.most{top:-.2rem}.least{bottom:-.2rem}
.days{display:flex;justify-content:space-between;padding-left:3.5rem;font-size:.85rem;margin:.3rem 0}
footer{padding-top:2rem;padding-bottom:2rem;color:var(--soft);font-size:.92rem}
@media (max-width:40rem){header,main,footer{padding-left:.9rem;padding-right:.9rem}h1{font-size:1.45rem}.cards{grid-template-columns:repeat(auto-fit,minmax(min(100%,8.5rem),1fr))}.cards b{font-size:1.25rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.4rem}}
@media screen and (max-width:40rem){${blocks('table')}}
@media screen and (max-width:72rem){${blocks('.wide')}}
@media print{@page{size:A4;margin:14mm}:root{color-scheme:light;--page:#fff;--card:#fff;--text:#000;--soft:#444;--line:#bbb;--link:#000;--bad:#8c1410;--bad-card:#fff;--warn:#5c3700;--warn-card:#fff;--good:#0c4a24;--good-card:#fff;--plain-card:#fff;--critical:#8c1410;--high:#7d3a05;--medium:#604400;--low:#1d4880;--info:#444}html{font-size:9.5pt}header,main,footer{max-width:none;padding:0}nav,.tools,.copy,.skip{display:none}h2,h3,summary,caption{break-after:avoid}tr,.cards li,.verdict,figure{break-inside:avoid}thead{display:table-header-group}.sort{display:contents}summary{list-style:none}table{font-size:8.5pt}tr[hidden]{display:table-row!important}details[hidden]{display:block!important}details::details-content{content-visibility:visible;display:block}.verdict,.cards li{border:1px solid var(--line)}}
`
