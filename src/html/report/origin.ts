import { plainUrl } from '../../ci/address.ts'
import { clean, command, html, link, type Markup, name, time } from '../../render/html/markup.ts'
import { formatTimestamp } from '../../util/time.ts'
import { andMore, count, number } from '../../util/words.ts'
import type { Redaction, RunReport } from './report.ts'

const redactionTexts: Record<Redaction, string> = {
  names: 'names of the cluster, of resources, images and people, and free texts',
  namespaces: 'namespaces, and free texts',
  ids: 'ids of runs, policies and exceptions, and the pipeline',
}

/** The scan, its scanner, and how this page was created. */
export function renderOrigin(report: RunReport) {
  const { run, freshness, findings, redactor, server, version, madeAt, isQueued } = report
  const redacted = redactor.kinds
  const rows: [string, Markup | string][] = [
    ['Run', run.run_id === '' ? 'left out' : html`<code>${clean(run.run_id, 210)}</code>`],
    ['Scanner', clean([run.format ?? 'unknown', run.source_version].filter(Boolean).join(' '), 150)],
    ['Uploaded by', clean(run.source, 100) || (redacted.includes('names') ? 'left out' : 'unknown')],
    ['Scan', html`${time(run.started_at)} to ${time(run.finished_at)}`],
    ['Stored', isQueued ? 'not yet: the report waits for its server' : time(run.ingested_at)],
    ['Checks', checksText(run)],
    ['Scope', scopeText(findings.found?.excluded_namespaces)],
    ['Artifacts', artifactsText(run)],
    ['Catalog', freshness.found ? (freshness.found.catalog_date ?? 'of an unknown day') : `n/a: ${freshness.missing}`],
    ['Pipeline', pipelineText(run, redacted)],
    ['Facts of', factsText(server, redacted)],
    ['Made', html`${time(formatTimestamp(madeAt))} by relt ${version}`],
    ['Left out', leftOutText(redacted)],
  ]
  return html`<dl>${rows.map(
    ([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>
`,
  )}</dl>
${run.run_id !== '' && !isQueued && html`<p>Look further: ${command(`relt findings list ${run.run_id}`)} ${command(`relt reports freshness ${run.run_id} --explain`)}</p>`}`
}

type Run = RunReport['run']

function checksText({ total_checks: total, failed_checks: failed }: Run) {
  if (total === null) return 'unknown'
  return `${number(total)}, ${failed === null ? 'an unknown number' : number(failed)} failed`
}

function artifactsText({ artifacts }: Run) {
  if (!artifacts) return 'unknown'
  const { images, helm_charts, apps } = artifacts
  return [count(images, 'image'), count(helm_charts, 'chart'), count(apps, 'app')].join(', ')
}

function pipelineText({ ci }: Run, redacted: readonly Redaction[]): Markup | string {
  if (!ci) return redacted.length > 0 ? 'left out' : 'none'
  const build = ci.build_url ? link(plainUrl(ci.build_url), 'build') : ''
  return html`${clean([ci.provider, ci.repository, ci.branch, ci.commit?.slice(0, 12)].filter(Boolean).join(', '), 400)} ${build}`
}

export const leftOutText = (redacted: readonly Redaction[]) =>
  redacted.length === 0 ? 'nothing' : redacted.map((kind) => redactionTexts[kind]).join('; ')

export function factsText(server: string | null, redacted: readonly Redaction[]): Markup | string {
  if (redacted.length > 0) return 'left out'
  return server === null ? 'the store of the machine that made this page' : name(server)
}

function scopeText(excluded: string[] | null | undefined) {
  if (!excluded) return 'unknown'
  if (excluded.length === 0) return 'every namespace'
  return `every namespace except ${clean(excluded.slice(0, 30).join(', '), 600)}${excluded.length > 30 ? ` ${andMore(excluded.length - 30)}` : ''}`
}
