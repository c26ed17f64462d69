import { basename, dirname, join } from 'node:path'
import type { Client } from '../../../client/client.ts'
import { Redactor } from '../../../html/report/redact.ts'
import { renderRunReport } from '../../../html/report/render.ts'
import type { ListedFindings, Redaction, RunReport } from '../../../html/report/report.ts'
import { stylesheet } from '../../../html/stylesheet.ts'
import { gridFormats } from '../../output/formats.ts'
import { write } from '../gate/outputs.ts'
import { findFindings } from './gather-report.ts'

export interface HtmlPageOptions {
  /** A stylesheet beside the page instead of styles inside. */
  assets?: boolean | undefined
  redact?: Redaction[] | undefined
}

export interface WrittenPage {
  file: string
  bytes: number
  /** The files beside it; null where there is none. */
  stylesheet: string | null
  findings_file: string | null
}

const stylesheetName = 'report.css'

/** The document as text, for a pipe. It lists at most as many findings as a page can. */
export function pageOf(report: RunReport, { redact = [] }: HtmlPageOptions): string {
  return renderRunReport(new Redactor(report, redact).report(report))
}

/** Writes the page, and beside it every finding where the page cannot list all. Throws `usage` if a file cannot be written. */
export async function writeReport(
  client: Client | undefined,
  report: RunReport,
  file: string,
  { assets = false, redact = [] }: HtmlPageOptions,
): Promise<WrittenPage> {
  const redactor = new Redactor(report, redact)
  const all = client && (await findRest(client, report))
  const findingsFile = all ? join(dirname(file), `${basename(file).replace(/\.html?$/i, '')}-findings.csv`) : null
  const csv = findingsFile && basename(findingsFile)
  const page = renderRunReport({ ...redactor.report(report), csv }, assets ? stylesheetName : undefined)
  const stylesheetFile = assets ? join(dirname(file), stylesheetName) : null
  write(file, page)
  if (stylesheetFile) write(stylesheetFile, stylesheet)
  if (all && findingsFile) write(findingsFile, await csvOf(redactor.findings(all)))
  return { file, bytes: Buffer.byteLength(page), stylesheet: stylesheetFile, findings_file: findingsFile }
}

const everyFinding = 1_000_000

async function findRest(client: Client, { run, findings: { found }, isQueued }: RunReport) {
  if (!found || isQueued || found.items.length >= found.findings) return undefined
  return findFindings(client, run, everyFinding)
}

async function csvOf({ items }: ListedFindings): Promise<string> {
  const render = await gridFormats.csv!()
  return render({
    aligns: [],
    titles: ['Severity', 'Check', 'Name', 'Namespace', 'Resource', 'Message', 'Value', 'Count', 'Fingerprint'],
    rows: items.map((finding) => [
      ...[finding.severity, finding.check_id, finding.check_name, finding.namespace ?? '', finding.resource ?? ''],
      ...[finding.message, finding.value ?? '', String(finding.count ?? 1), finding.fingerprint],
    ]),
  })
}
