import { InvalidArgumentError } from 'commander'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { drawColumns } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { judge } from '../../../submit/judge.ts'
import { count } from '../../../util/words.ts'
import type { SaidGate } from '../../../views/gate-words.ts'
import { titles } from '../../../views/titles.ts'
import { verdictTones } from '../../../views/verdict.ts'
import type { ViewColumn } from '../../../views/view.ts'
import { show } from '../../output/output.ts'
import { showSteps } from '../../output/steps.ts'
import { verb } from '../../program/verb.ts'
import { clusterQuery, noReports, onlyClusterOptions, unknownCluster } from '../reports/cluster.ts'
import { chooseOneCluster } from '../reports/one-cluster.ts'
import { gateOptions, loadPolicy } from './options.ts'

const { '--policy <file>': _, ...ruleOptions } = gateOptions

export default verb({
  name: 'try',
  summary: 'Judge past runs by a policy, without recording the verdicts',
  examples: ['relt gate try relt.yaml --runs 30', "relt gate try --fail-on 'new>=high' --cluster prod-eu"],
  args: [['[policy]', 'YAML file with rules under the key gate (default: relt.yaml, if it exists)']],
  options: {
    ...onlyClusterOptions,
    ...ruleOptions,
    '--runs <count>': { help: 'the last runs of the cluster, at most 100 (default: 30)', parse: toCount },
  },
  run: async (cli, file, { runs = 30, ...options }) => {
    const { context, io } = cli
    const policy = await loadPolicy({ ...options, ...(file !== undefined && { policy: file }) }, context)
    const place = await chooseOneCluster(cli, options)
    const { items } = await cli.call('listReports', { query: { ...clusterQuery(place), per_page: runs } })
    const unknown = items.length === 0 ? await unknownCluster(cli, place) : undefined
    if (unknown) throw unknown
    requireOneCluster(items)
    const { onProgress } = showSteps(io)
    const client = await context.client()
    const tried = await Array.fromAsync(items, async (run): Promise<Tried> => {
      const { result } = await judge({ client, now: context.now, onProgress }, policy, { run_id: run.run_id })
      return { run, result }
    })
    const counts = Object.entries(Object.groupBy(tried, ({ result }) => result.verdict))
    const summary = counts.map(([verdict, own]) => `${own.length} ${verdict}`).join(', ')
    await show<Tried>(cli, {
      body: {
        policy: policy.name ?? null,
        runs: tried.map(({ run, result }) => ({
          run_id: run.run_id,
          cluster_name: run.cluster_name,
          environment: run.environment,
          scanned_at: scannedAt(run),
          score: run.score,
          verdict: result.verdict,
          rules: result.rules,
        })),
      },
      rows: tried,
      columns: (io, now) => drawColumns(io, columns, now),
      text: (io, now) =>
        `${io.color.bold(`${count(tried.length, 'run')}: ${summary}`)}\n${renderTable(io, drawColumns(io, columns, now), tried)}`,
      empty: noReports(place),
    })
  },
})

function toCount(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 100) return Number(text)
  throw new InvalidArgumentError('Use a number from 1 to 100.')
}

interface Tried {
  run: ReceivedRun
  result: SaidGate
}

function requireOneCluster(runs: ReceivedRun[]): void {
  const places = new Set(runs.map(({ cluster_name, environment }) => `${cluster_name ?? '-'}/${environment ?? '-'}`))
  if (places.size <= 1) return
  throw new ReltError('usage', 'The runs are of several clusters or environments.', {
    hint: `Choose one with --cluster and --environment: ${[...places].slice(0, 10).join(', ')}`,
  })
}

const columns: ViewColumn<Tried>[] = [
  { key: 'scanned', title: titles.scanned, text: ({ run }) => scannedAt(run), as: 'time', reveals: 'safe' },
  { key: 'run', title: titles.run, text: ({ run }) => run.run_id, reveals: 'id', from: 100 },
  {
    key: 'score',
    title: titles.score,
    text: ({ run }) => (run.score === null ? null : String(run.score)),
    reveals: 'safe',
    align: 'right',
  },
  {
    key: 'verdict',
    title: titles.verdict,
    text: ({ result }) => result.verdict,
    tone: ({ result }) => verdictTones[result.verdict],
    reveals: 'safe',
  },
  {
    key: 'reason',
    title: titles.reason,
    text: ({ result }) =>
      result.rules
        .filter(({ verdict }) => verdict !== 'passed')
        .map(({ rule, reason }) => `${rule}: ${reason}`)
        .join('; ') || null,
    reveals: 'text',
    min: 24,
    cut: true,
  },
]
