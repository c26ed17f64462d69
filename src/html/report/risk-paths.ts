import { clean, html, type Markup } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import type { RunReport } from './report.ts'
import { missingText } from './words.ts'

/** Open risk paths, and whether the cluster is ready for AKS Automatic, where the scanner says so. */
export function renderRiskPaths({ run: { risk_paths: paths, aks_readiness: readiness, format } }: RunReport): Markup {
  const open = (paths ?? []).filter(({ is_open }) => is_open)
  return html`${
    paths == null
      ? missingText(`The report of ${format ?? 'the scanner'} does not list risk paths.`)
      : open.length === 0
        ? html`<p>The scanner looked for risk paths and found none open.</p>`
        : table(
            [
              { title: 'Risk path', value: (path) => `${clean(path.id, 100)} ${clean(path.name)}` },
              { title: 'Priority', value: ({ fix_priority }) => clean(fix_priority, 50) || '-' },
              { title: 'Why', value: ({ summary }) => clean(summary, 500) || '-' },
              {
                title: 'Rests on',
                value: ({ signal_checks, requires }) => clean([...signal_checks, ...requires].join(', '), 300) || '-',
              },
            ],
            open,
            { caption: 'Open risk paths', most: 100 },
          )
  }
${readiness && html`<p>AKS Automatic: ${readiness.skipped ? 'not assessed' : clean(readiness.label ?? readiness.status ?? 'unknown', 100)}${readiness.blocker_count !== null && `, blockers: ${readiness.blocker_count}`}${readiness.warning_count !== null && `, warnings: ${readiness.warning_count}`}.</p>`}`
}
