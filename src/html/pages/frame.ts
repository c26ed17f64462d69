import { html, type Markup, name as nameMarkup } from '../../render/html/markup.ts'
import type { View, WebPage } from './view.ts'

interface FrameOptions {
  title: string
  body: Markup
  assets: { stylesheet: string; script: string; icon: string }
  /** Undefined before sign-in. */
  signedIn?: { view: View; pages: readonly WebPage[] } | undefined
  version: string
  /** Confirmation of the form that led here. */
  done?: string | undefined
}

/** A whole page of the server, without inline style or script, which the server's policy forbids. */
export function renderFrame({ title, body, assets, signedIn, version, done }: FrameOptions) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} - relt</title>
<link rel="stylesheet" href="${assets.stylesheet}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
${signedIn ? navigation(signedIn) : html`<p class="brand">relt</p>`}
</header>
<main id="content">
${done !== undefined && html`<p role="status">${done}</p>`}
${body}
</main>
<footer>Times are in UTC. relt ${version}</footer>
</body>
</html>
`.toString()
}

function navigation({ view, pages }: NonNullable<FrameOptions['signedIn']>) {
  const { viewer } = view
  const entries = pages.filter(({ nav, for: whom }) => nav && (whom === undefined || viewer.isPro))
  return html`<p class="brand">${view.link('/', 'relt')}</p>
<nav aria-label="Main"><ul>${entries.map(
    ({ path, nav }) =>
      html`<li><a href="${view.href(path)}"${view.path === path && html` aria-current="page"`}>${nav}</a></li>`,
  )}</ul></nav>
<div class="who">${teamChoice(view)}${viewer.nonce !== undefined && html`<form method="post" action="/sign-out"><input type="hidden" name="_wpnonce" value="${viewer.nonce}"><button type="submit">Sign out</button></form>`}</div>`
}

/** The user's own account is listed if there are teams. */
function teamChoice(view: View) {
  const { login, team, teams } = view.viewer
  if (teams.length === 0) return html`<p>${nameMarkup(login)}</p>`
  const others = [...teams, 'me'].filter((each) => each !== (team?.name ?? 'me'))
  return html`<details><summary>${nameMarkup(login)}: ${team ? html`team ${nameMarkup(team.name)}` : 'own account'}</summary>
<ul>${others.map((each) => html`<li><a href="${view.href('/', { team: each })}">${each === 'me' ? 'Own account' : html`Team ${nameMarkup(each)}`}</a></li>`)}</ul></details>`
}
