import { formatDay } from '../../util/time.ts'
import type { ContentItem } from '../content.ts'
import type { RenderedMail } from '../delivery.ts'
import { fitContent } from '../fit.ts'
import type { Message } from '../message.ts'
import { cleanUrl } from '../text.ts'
import { Html, html } from './html.ts'

/** Gmail truncates mails of more than 102 kB. */
const maxBytes = 100_000
const reservedBytes = 15_000
const maxItems = 200

export function renderMail(message: Message): RenderedMail {
  const links = {
    settings: cleanUrl(message.links.settings),
    unsubscribe: cleanUrl(message.links.unsubscribe),
  }
  const content = fitContent(message, itemHtml, {
    maxItems,
    maxSize: maxBytes - reservedBytes,
    toSize: ({ text }) => Buffer.byteLength(text),
  })
  return {
    kind: 'mail',
    subject: content.title,
    text: toText({ ...content, ...links }),
    html: page({ ...content, ...links }).text,
    // Plain headers: the library's own list headers would not support one-click unsubscribe (RFC 8058).
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(links.unsubscribe !== null && {
        'List-Unsubscribe': `<${links.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...attachmentsFor(message),
  }
}

function attachmentsFor({ events, at }: Message): Pick<RenderedMail, 'attachments'> {
  const attachments = events.flatMap((event) => {
    if (event.type !== 'fleet.report' || event.page === null) return []
    const filename = `relt-fleet-${formatDay(at)}.html`
    return [{ filename, content: event.page, contentType: 'text/html; charset=utf-8' }]
  })
  return attachments.length > 0 ? { attachments } : {}
}

type Shown = ReturnType<typeof fitContent<Html>> & { settings: string | null; unsubscribe: string | null }

function toText({ title, items, parts, isSingle, more, hasCommand, command, link, settings, unsubscribe }: Shown) {
  const shown = items
    .slice(0, parts.length)
    .map(({ title, url, facts, lines, excerpt }) =>
      [
        ...(isSingle ? [] : [`* ${title}`]),
        ...facts.map(({ name, value }) => `  ${name}: ${value}`),
        ...lines.map((line) => `  - ${line}`),
        ...(excerpt === null ? [] : ['', `  ${excerpt}`]),
        ...(url === null ? [] : [`  ${url}`]),
      ].join('\n'),
    )
  const end = [
    ...(link === null ? [] : [`Open in relt: ${link}`]),
    ...(settings === null ? [] : [`Notification settings: ${settings}`]),
    ...(unsubscribe === null ? [] : [`Unsubscribe: ${unsubscribe}`]),
  ]
  const all = [title, ...shown, hasCommand ? `${more || 'Show in a terminal: '}${command}` : '', end.join('\n')]
  return `${all.filter((part) => part !== '').join('\n\n')}\n`
}

/** Text colors on the mail's own background, light and dark, each with a contrast of at least 4.5. */
const style = new Html(`
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { margin: 0; padding: 0; background: #f2f4f7; }
  .card { background: #ffffff; color: #1f2328; }
  a { color: #0757ba; }
  .muted { color: #57606a; }
  .rule { border-top: 1px solid #d8dee4; }
  code { background: #eff1f4; color: #1f2328; padding: 2px 6px; border-radius: 4px; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
  .danger { color: #b3152a; } .warning { color: #7a4b00; } .good { color: #116329; } .neutral { color: #1f2328; }
  @media (prefers-color-scheme: dark) {
    body { background: #0d1117 !important; }
    .card { background: #161b22 !important; color: #e6edf3 !important; }
    a { color: #6cb6ff !important; }
    .muted { color: #9aa4af !important; }
    .rule { border-top-color: #30363d !important; }
    code { background: #262c36 !important; color: #e6edf3 !important; }
    .danger { color: #ff8f8a !important; } .warning { color: #e3b341 !important; } .good { color: #6fdd8b !important; } .neutral { color: #e6edf3 !important; }
  }
`)

const fontStyle = new Html(
  "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word",
)

function page({ title, tone, link, command, parts, left, more, hasCommand, settings, unsubscribe }: Shown) {
  const footer = [
    ...(settings === null ? [] : [html`<a href="${settings}">Notification settings</a>`]),
    ...(unsubscribe === null ? [] : [html`<a href="${unsubscribe}">Unsubscribe</a>`]),
  ]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div style="padding:16px">
<div class="card" style="max-width:640px;margin:0 auto;padding:24px;border-radius:8px;font-size:15px;line-height:1.5;${fontStyle}">
<h1 class="${tone}" style="margin:0 0 16px;font-size:20px;line-height:1.3">${title}</h1>
${parts}
${left > 0 ? html`<p style="margin:16px 0 0">${more}<code>${command}</code></p>` : hasCommand ? html`<p class="muted" style="margin:16px 0 0">Show in a terminal: <code>${command}</code></p>` : html``}
${link === null ? html`` : html`<p style="margin:16px 0 0"><a href="${link}">Open in relt</a></p>`}
<p class="muted rule" style="margin:24px 0 0;padding-top:12px;font-size:13px">Sent by relt. ${footer.map((each, i) => (i === 0 ? each : html` &#183; ${each}`))}</p>
</div>
</div>
</body>
</html>
`
}

function itemHtml({ title, url, tone, facts, lines, excerpt }: ContentItem, isSingle: boolean) {
  const linked = url === null ? html`${title}` : html`<a href="${url}">${title}</a>`
  const heading = isSingle
    ? url === null
      ? html``
      : html`<p style="margin:0 0 8px"><a href="${url}">Release notes</a></p>\n`
    : html`<h2 class="${tone}" style="margin:0 0 4px;font-size:16px;line-height:1.4">${linked}</h2>\n`
  const rows = facts.map(({ name, value }) => html`<div><span class="muted">${name}:</span> ${value}</div>\n`)
  const list =
    lines.length === 0
      ? html``
      : html`<ul style="margin:8px 0;padding-left:20px">${lines.map((line) => html`<li>${line}</li>`)}</ul>\n`
  const notes = excerpt === null ? html`` : html`<p style="margin:12px 0 0">${excerpt}</p>\n`
  return isSingle
    ? html`${heading}${rows}${list}${notes}`
    : html`<div class="rule" style="padding:12px 0">${heading}${rows}${list}${notes}</div>\n`
}
