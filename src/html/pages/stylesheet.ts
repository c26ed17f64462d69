import { blocks, stylesheet } from '../stylesheet.ts'

/** Stylesheet of the server's pages: that of reports, plus additions. */
export const pageStylesheet = `${stylesheet}
header,main,footer{max-width:90rem}
button{white-space:nowrap}
.rare{border:0}
.rare[open]{flex-basis:100%}
.rare label{margin:0 1rem .5rem 0}
.tools label{display:inline-grid;min-width:0;max-width:100%;font-size:.92rem;color:var(--soft)}
.tools input,.tools select{color:var(--text);font-size:1rem;min-height:2.2rem;width:100%}
.tools>label>input,.rare input{width:12rem}
header.top{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;padding-top:.75rem;border-bottom:1px solid var(--line)}
.top .brand{margin:0;font-weight:700;font-size:1.15rem}
.brand a{color:inherit;text-decoration:none;padding:.3rem 0;display:inline-block}
.top nav{flex:1 1 30rem;min-width:0}
.top nav ul{margin:0}
.top nav a{padding:.4rem 0;text-decoration:none}
.top nav a:hover,.brand a:hover{text-decoration:underline}
.top nav a[aria-current]{font-weight:700;color:inherit;border-bottom:3px solid var(--link)}
.who{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}
.who p{margin:0}
.who details{border:0}
.who summary{padding:.3rem 0}
main{padding-top:1.25rem;min-height:60vh}
main h1{margin:.5rem 0}
footer{border-top:1px solid var(--line);margin-top:2.5rem;padding-top:1rem}
button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.3rem;padding:.25rem .6rem;cursor:pointer}
button:hover{border-color:var(--link)}
.action{display:inline-flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:end;max-width:100%;margin:.15rem .35rem .15rem 0}
.action label{display:inline-grid;grid-template-columns:minmax(0,auto);min-width:0;max-width:100%}
.action select,.action input{max-width:100%}
td{vertical-align:baseline}
td .action{margin:0 .35rem 0 0;align-items:baseline}
.action input,.action select{min-height:2.2rem}
.action input[name=reason]{width:36rem}
td .action select{min-height:0}
td .action button{padding:.1rem .5rem;font-size:.9rem}
.confirm{border:0;display:inline-block}
.confirm summary{padding:.15rem 0}
.sign-in{display:grid;gap:.9rem;max-width:22rem;margin:1rem 0}
.sign-in input{display:block;margin-top:.25rem;width:100%;padding:.45rem .6rem}
.sign-in button,.tools button{background:var(--link);border-color:var(--link);color:var(--page)}
.under{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1.5rem;font-size:.92rem;margin:-.4rem 0 1rem}
.under p,.under nav{margin:0}
.under a{display:inline-block;padding:.2rem .35rem .2rem 0}
.downloads{color:var(--soft)}
.links{list-style:none;padding:0;margin:1rem 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.links a{display:inline-block;padding:.2rem 0}
.overview .cards{margin:.75rem 0}
.cards li.long{grid-column:span 2}
.cards ol{margin:.2rem 0;padding-left:1.2rem;font-size:.95rem}.cards ol li{all:unset;display:list-item}
@media (max-width:60rem){.who{margin-left:auto}.top nav{order:3;flex-basis:100%}.top nav ul{gap:0 .9rem}}
@media (max-width:40rem){.tools{gap:.5rem}.tools>label,.rare label{width:calc(50% - .25rem);margin-right:0}.tools.long>label{width:100%}.tools>label>input,.rare input{width:100%}.overview{display:flex;flex-direction:column}.overview>*{margin-top:.4rem;margin-bottom:.4rem}.overview>.later{order:2}.overview>.cards{grid-template-columns:repeat(3,1fr);gap:.4rem}.overview>.cards li{padding:.3rem .5rem}.overview>.cards b{font-size:1rem}.later .cards{grid-template-columns:1fr}.cards li.long{grid-column:auto}}
.spark{width:6rem;height:1.5rem;color:var(--link);vertical-align:middle}
@media print{${blocks('.wide')}.wide.sortable thead,.who,main form,.downloads{display:none}}
`
