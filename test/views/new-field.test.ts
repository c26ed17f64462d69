import { describe, expect, test } from 'vitest'
import { renderCsv } from '../../src/cli/output/csv.ts'
import { toGrid } from '../../src/cli/output/grid.ts'
import { renderMarkdown } from '../../src/cli/output/markdown.ts'
import { redactFindings, redactReport } from '../../src/html/report/redact.ts'
import { renderRunReport } from '../../src/html/report/render.ts'
import { redactedInk } from '../../src/html/report/report.ts'
import { drawColumns as drawHtml } from '../../src/render/html/draw.ts'
import { table } from '../../src/render/html/table.ts'
import { createColor } from '../../src/render/terminal/color.ts'
import { dataColumns, drawColumns } from '../../src/render/terminal/draw.ts'
import { renderTable } from '../../src/render/terminal/table.ts'
import type { ShownFinding } from '../../src/views/finding.ts'
import { findingTables } from '../../src/views/finding-tables.ts'
import { Redactor, redactions } from '../../src/views/redaction.ts'
import type { Reveals } from '../../src/views/said.ts'
import type { ViewColumn } from '../../src/views/view.ts'
import { toReport } from '../html/reports.ts'

const secret = 'owner-zq9'
const io = { isTerminal: true, width: 400, color: createColor(false), link: (text: string) => text } as never

/** A finding that has a field that relt does not know. */
const report = toReport((tag) => tag)
const [finding] = report.findings.found!.items
const grown = { ...finding!, owner: secret } as ShownFinding & { owner: string }

const ownerColumn = (reveals: Reveals): ViewColumn<ShownFinding> => ({
  ...{ key: 'owner', title: 'Owner', reveals },
  text: (row) => (row as typeof grown).owner ?? null,
})

/** One table of findings in each medium, as the commands and pages draw it. */
function toMedia(columns: ViewColumn<ShownFinding>[], row: ShownFinding, redactor: Redactor): Record<string, string> {
  const shown = redactor.kinds.length === 0 ? columns : redactor.columns(columns)
  const grid = toGrid(io, 0, { body: {}, rows: [row], columns: () => dataColumns(shown) })
  return {
    terminal: renderTable(io, drawColumns(io, shown), [row]),
    page: String(table(drawHtml(columns, redactedInk(redactor)), [row], { caption: '' })),
    csv: renderCsv(grid),
    markdown: renderMarkdown(grid),
  }
}

const isIn = (media: Record<string, string>) =>
  Object.fromEntries(Object.entries(media).map(([name, text]) => [name, text.includes(secret)]))
const everywhere = (is: boolean) => ({ terminal: is, page: is, csv: is, markdown: is })

describe('a field that an answer gains', () => {
  const plain = new Redactor([])

  test.each(Object.entries(findingTables))('is in no medium of the table %s until a column shows it', (_, columns) => {
    expect(isIn(toMedia(columns, grown, plain))).toEqual(everywhere(false))
    expect(isIn(toMedia([...columns, ownerColumn('text')], grown, plain))).toEqual(everywhere(true))
  })

  test.each(redactions)('is hidden in all media by --redact %s unless its column is safe', (kind) => {
    const redactor = new Redactor([kind])
    expect(isIn(toMedia([ownerColumn('safe')], grown, redactor))).toEqual(everywhere(true))
    expect(isIn(toMedia([ownerColumn('fingerprint')], grown, redactor))).toEqual(everywhere(false))
    const isText = kind !== 'ids'
    expect(isIn(toMedia([ownerColumn('text')], grown, redactor))).toEqual(everywhere(!isText))
  })

  test.each(redactions)('is in no redacted report, wherever it is, by %s', (kind) => {
    const plant = <T>(value: T): T => {
      if (Array.isArray(value)) return value.map(plant) as T
      if (typeof value !== 'object' || value === null) return value
      const members = Object.entries(value).map(([name, each]) => [name, plant(each)])
      return { ...Object.fromEntries(members), owner: secret } as T
    }
    const { redactor, ...answers } = report
    const planted = { ...plant(answers), redactor }
    expect(JSON.stringify(planted)).toContain(secret)
    const redacted = redactReport(planted, [kind])
    // The answer itself, so that no renderer can draw it.
    expect(JSON.stringify({ ...redacted, redactor: undefined })).not.toContain(secret)
    expect(renderRunReport(redacted)).not.toContain(secret)
    const file = redactFindings(planted.findings.found!, redacted.redactor)
    expect(JSON.stringify(file)).not.toContain(secret)
  })
})
