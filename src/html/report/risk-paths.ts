import { drawColumns, drawSaid } from '../../render/html/draw.ts'
import { html } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { readinessSaid } from '../../views/readiness.ts'
import { openPaths, pathColumns } from '../../views/risk-path.ts'
import { chosen } from '../../views/view.ts'
import { type RunReport, redactedInk } from './report.ts'
import { missingText } from './words.ts'

const shown = chosen(pathColumns, 'path', 'priority', 'summary', 'rests_on')

/** Open risk paths, and readiness for AKS Automatic, if the scanner reports them. */
export function renderRiskPaths({ run, comparison, redactor }: RunReport) {
  const { risk_paths: paths, aks_readiness: readiness, format } = run
  const ink = redactedInk(redactor)
  const open = openPaths(paths ?? [], comparison.found?.risk_paths).map(({ path }) => path)
  return html`${
    paths == null
      ? missingText(`The report of ${format ?? 'the scanner'} does not list risk paths.`)
      : open.length === 0
        ? html`<p>The scanner looked for risk paths and found none open.</p>`
        : table(drawColumns(shown, ink), open, { caption: 'Open risk paths', most: 100 })
  }
${readiness && html`<p>AKS Automatic: ${drawSaid(readinessSaid(readiness), ink)}.</p>`}`
}
