import { ReltError } from '../../../errors.ts'
import { count } from '../../../util/words.ts'
import { redactions } from '../../../views/redaction.ts'
import type { Part } from '../../../views/view.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { withProgress } from '../../output/progress.ts'
import { note } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { clusterOptions } from './cluster.ts'
import { findRun, runForms } from './find-run.ts'

const options = {
  ...clusterOptions(),
  '--all': 'all clusters on one page, with their trends, changes and upgrades',
  '--label <label>': 'the clusters that have this label, on one page',
  '--compare': 'include what changed since the previous run',
  '--trends <days>': { help: 'include the runs of the last days, at most 365', parse: wholeNumber(365) },
  '--freshness': 'include outdated artifacts, ends of support and the upgrade plan',
  '--out <file>': 'file to write; - for standard output (default: relt-<run>.html)',
  '--assets': 'write the styles to report.css beside the page, and no script',
  '--redact <kinds>': { help: `omit ${redactions.join(', ')}, or several of these with commas`, several: redactions },
} as const

type HtmlOptions = OptionsOf<typeof options>

export default verb({
  name: 'html',
  summary: 'Write a report of a run as a web page',
  examples: [
    'relt reports html',
    'relt reports html latest --cluster prod-eu --out report.html',
    'relt reports html --compare --trends 90 --out report.html',
    'relt reports html --all --trends 90 --out fleet.html',
    'relt reports html --all --redact names --out fleet.html',
    'relt reports html --assets --out public/index.html',
    'relt reports html --redact names,namespaces,ids --out report.html',
    'relt reports html --out - | gzip > report.html.gz',
  ],
  args: [['[run]', `${runForms} (default: the latest run)`]],
  options,
  run: async (cli, id, options) => {
    const { context, io } = cli
    if (options.out === '-' && options.assets) {
      throw new ReltError(
        'usage',
        '--assets writes two files, so standard output cannot take them. Name a file with --out.',
      )
    }
    if (options.all || options.label !== undefined) return runFleetHtml(cli, id, options)
    const { run_id } = await findRun(cli, id, options)
    const { everyPart, gatherReport } = await import('./gather-report.ts')
    const { countListed, toPage, writeReport } = await import('./write-report.ts')
    const { compare = false, freshness = false, trends } = options
    const named = compare || freshness || trends !== undefined
    const report = await withProgress(io, 'Reading the run', () =>
      gatherReport(context, run_id, named ? { compare, freshness, trends } : everyPart),
    )
    if (options.out === '-') {
      io.out(toPage(report, options))
      return
    }
    const name = options.redact?.includes('ids') ? 'report' : run_id
    const written = await writeReport(report, options.out ?? `relt-${name}.html`, options)
    const { comparison, findings, freshness: assessed, trends: trend } = report
    await show(cli, {
      body: { run_id, ...written },
      text: () => `${[written.file, written.stylesheet, written.findings_file].filter(Boolean).join('\n')}\n`,
      remarks: [
        written.findings_file &&
          findings.found &&
          note(`The page lists ${count(countListed(findings.found), 'finding')}; ${written.findings_file} has all.`),
        ...missingNotes({ Changes: comparison, Findings: findings, Freshness: assessed, Trends: trend }),
      ],
    })
  },
})

const usualDays = 30

async function runFleetHtml(cli: Cli, run: string | undefined, options: HtmlOptions) {
  const { cluster, environment, label, compare, freshness, redact = [], trends: days = usualDays } = options
  const odd = [
    run !== undefined && 'a run',
    cluster !== undefined && '--cluster',
    compare && '--compare',
    freshness && '--freshness',
  ].find(Boolean)
  if (odd) {
    throw new ReltError('usage', `A page of several clusters cannot be combined with ${odd}.`, { hint: 'Remove it.' })
  }
  const [{ gatherFleet }, { renderFleetReport }, { redactFleet }, { writePage }] = await Promise.all([
    import('./gather-fleet.ts'),
    import('../../../html/report/fleet.ts'),
    import('../../../html/report/redact-fleet.ts'),
    import('./write-report.ts'),
  ])
  const gathered = await withProgress(cli.io, 'Reading clusters', () => gatherFleet(cli, { label, environment, days }))
  const report = redactFleet(gathered, redact)
  if (options.out === '-') return cli.io.out(renderFleetReport(report))
  const written = writePage(options.out ?? 'relt-fleet.html', options, (sheet) => renderFleetReport(report, sheet))
  const { trends, upgrade, fleet } = report
  await show(cli, {
    body: { clusters: fleet.items.length, ...written },
    text: () => `${[written.file, written.stylesheet].filter(Boolean).join('\n')}\n`,
    remarks: missingNotes({ Trends: trends, Upgrades: upgrade }),
  })
}

/** Why parts of the page are missing, by their titles. */
const missingNotes = (parts: Record<string, Part<unknown>>) =>
  Object.entries(parts).flatMap(([title, { missing }]) => (missing === undefined ? [] : note(`${title}: ${missing}`)))
