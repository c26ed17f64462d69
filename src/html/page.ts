import { createHash } from 'node:crypto'
import { html, type Markup, trusted } from '../render/html/markup.ts'
import { script } from './script.ts'
import { stylesheet } from './stylesheet.ts'

export interface DocumentOptions {
  title: string
  body: Markup
  /** Name of the stylesheet next to the page; undefined for a self-contained page. */
  stylesheet?: string | undefined
}

/**
 * A whole document. A self-contained page has a policy that allows only its style and script, by hash. With a separate
 * stylesheet, it has neither inline style nor script, as required by artifact servers of CI systems.
 */
export function renderPage({ title, body, stylesheet: file }: DocumentOptions) {
  const policy = file
    ? `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'`
    : `default-src 'none'; style-src ${toHash(stylesheet)}; script-src ${toHash(script)}; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
${file ? html`<link rel="stylesheet" href="${file}">` : html`<style>${trusted(stylesheet)}</style>`}
</head>
<body>
${body}
${!file && html`<script>${trusted(script)}</script>`}
</body>
</html>
`.toString()
}

const toHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
