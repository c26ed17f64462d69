import stringWidth from 'fast-string-width'

interface Style {
  color: string | undefined
  bold: boolean
  dim: boolean
  underline: boolean
}

const plain: Style = { color: undefined, bold: false, dim: false, underline: false }

/** What each code of SGR changes; codes that are not here change nothing. */
const changes: Record<number, Partial<Style>> = {
  0: plain,
  1: { bold: true },
  2: { dim: true },
  4: { underline: true },
  22: { bold: false, dim: false },
  24: { underline: false },
  31: { color: '#ff7b72' },
  32: { color: '#7ee787' },
  33: { color: '#e3b341' },
  34: { color: '#79c0ff' },
  35: { color: '#d2a8ff' },
  36: { color: '#76e3ea' },
  39: { color: undefined },
}

const esc = '\u001b'

const cell = { width: 8.4, height: 19 }
const margin = { x: 18, top: 46, bottom: 18 }

/** Text with colours as a terminal gets it → a picture of that terminal, as SVG. */
export function drawTerminal(text: string, { columns, title }: { columns: number; title: string }): string {
  const lines = text.trimEnd().split('\n')
  const width = Math.ceil(columns * cell.width + 2 * margin.x)
  const height = lines.length * cell.height + margin.top + margin.bottom
  let style = plain
  const rows = lines.map((line, row) => {
    const drawn = drawLine(line, style)
    style = drawn.style
    const y = margin.top + row * cell.height + 14
    return drawn.spans && `<text y="${y}" xml:space="preserve">${drawn.spans}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${forXml(title)}</title>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<circle cx="22" cy="22" r="6" fill="#ff5f56"/><circle cx="42" cy="22" r="6" fill="#ffbd2e"/><circle cx="62" cy="22" r="6" fill="#27c93f"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#c9d1d9">
${rows.filter(Boolean).join('\n')}
</g>
</svg>
`
}

/** Colours, and links, which a picture has no use for. */
const sequences = new RegExp(`(${esc}\\[[\\d;]*m|${esc}\\]8;[^${esc}]*${esc}\\\\)`)

/** Each run of one style is a span that begins, and is as wide, as in the terminal, whatever the font. */
function drawLine(line: string, from: Style): { spans: string; style: Style } {
  let style = from
  let column = 0
  let spans = ''
  for (const part of line.split(sequences)) {
    if (part.startsWith('\u001b[')) {
      for (const code of part.slice(2, -1).split(';')) style = { ...style, ...changes[Number(code)] }
    } else if (part && !part.startsWith('\u001b]')) {
      const width = stringWidth(part)
      if (part.trim()) spans += span(part, { column, width, style })
      column += width
    }
  }
  return { spans, style }
}

function span(text: string, { column, width, style }: { column: number; width: number; style: Style }): string {
  const attributes = [
    `x="${(margin.x + column * cell.width).toFixed(1)}"`,
    `textLength="${(width * cell.width).toFixed(1)}"`,
    ...(style.color ? [`fill="${style.color}"`] : []),
    ...(style.bold ? ['font-weight="bold"'] : []),
    ...(style.dim ? ['opacity="0.6"'] : []),
    ...(style.underline ? ['text-decoration="underline"'] : []),
  ]
  return `<tspan ${attributes.join(' ')}>${forXml(text)}</tspan>`
}

function forXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
