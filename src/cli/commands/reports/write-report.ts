import { basename, dirname, join } from 'node:path'
import { ReltError } from '../../../errors.ts'
import { redactFindings, redactReport } from '../../../html/report/redact.ts'
import { renderRunReport } from '../../../html/report/render.ts'
import { type ListedFindings, mostFindings, type Redaction, type RunReport } from '../../../html/report/report.ts'
import { stylesheet } from '../../../html/stylesheet.ts'
import { dataColumns } from '../../../render/terminal/draw.ts'
import type { ShownFinding } from '../../../views/finding.ts'
import { findingTables } from '../../../views/finding-tables.ts'
import type { Redactor } from '../../../views/redaction.ts'
import { gridFormats } from '../../output/formats.ts'
import { write } from '../gate/outputs.ts'

export { countListed } from '../../../html/report/findings.ts'

export interface HtmlPageOptions {
  /** A separate stylesheet instead of inline styles. */
  assets?: boolean
  redact?: Redaction[]
}

export interface WrittenPage {
  file: string
  bytes: number
  /** Files next to the page; null if there is none. */
  stylesheet: string | null
  findings_file: string | null
}

const stylesheetName = 'report.css'

/** The page as text, for a pipe. Lists at most as many findings as a page can. */
export function toPage(report: RunReport, { redact = [] }: HtmlPageOptions) {
  return renderRunReport(redactReport(report, redact))
}

/**
 * Writes the page, and a file with all findings if the page cannot list them. Throws `usage` if a file cannot be written.
 */
export async function writeReport(
  report: RunReport,
  file: string,
  { assets = false, redact = [] }: HtmlPageOptions,
): Promise<WrittenPage> {
  refuseStylesheetName(file, assets)
  const shown = redactReport(report, redact)
  const { found } = report.findings
  const all = found && found.items.length > mostFindings ? found : undefined
  const findingsFile = all ? join(dirname(file), `${basename(file).replace(/\.html?$/i, '')}-findings.csv`) : null
  const csv = findingsFile && basename(findingsFile)
  // The page is written last, when the files that it links to exist.
  if (all && findingsFile) await writeCsv(findingsFile, all, shown.redactor)
  const written = writePage(file, { assets }, (sheet) => renderRunReport({ ...shown, csv }, sheet))
  return { ...written, findings_file: findingsFile }
}

/** Writes a page without other files except, with `assets`, its stylesheet. */
export function writePage(
  file: string,
  { assets = false }: HtmlPageOptions,
  render: (stylesheet: string | undefined) => string,
): Omit<WrittenPage, 'findings_file'> {
  refuseStylesheetName(file, assets)
  const page = render(assets ? stylesheetName : undefined)
  const stylesheetFile = assets ? join(dirname(file), stylesheetName) : null
  if (stylesheetFile) write(stylesheetFile, stylesheet)
  write(file, page)
  return { file, bytes: Buffer.byteLength(page), stylesheet: stylesheetFile }
}

function refuseStylesheetName(file: string, assets: boolean) {
  if (assets && basename(file).toLowerCase() === stylesheetName) {
    throw new ReltError('usage', `--assets writes the styles to ${stylesheetName}. Name another file with --out.`)
  }
}

const rowsAtOnce = 5000

/** In chunks: the rows of a large report take ten times the memory of its findings. */
async function writeCsv(file: string, found: ListedFindings, redactor: Redactor) {
  const render = await gridFormats.csv!()
  const columns = dataColumns<ShownFinding>(redactor.columns(findingTables.file))
  const titles = columns.map(({ title }) => title)
  write(file, function* () {
    for (let start = 0; start < found.items.length; start += rowsAtOnce) {
      const { items } = redactFindings({ ...found, items: found.items.slice(start, start + rowsAtOnce) }, redactor)
      const rows = items.map((item) => columns.map(({ value }) => value(item) ?? ''))
      yield render({ aligns: [], titles: start === 0 ? titles : [], rows })
    }
  })
}
