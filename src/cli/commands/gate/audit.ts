import type { ExceptionUse, ExceptionUses } from '../../../gate/exception.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { shortFingerprint, untilSaid } from '../../../views/finding.ts'
import { plainText } from '../../../views/said.ts'
import { pickSubject } from '../../../views/scan.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { note } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { onlyClusterOptions } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { defaultRuns, judgeRuns } from './find-runs.ts'
import { gateOptions, loadPolicy, loadPolicyIfAny } from './options.ts'

export default verb({
  name: 'audit',
  summary: 'List used, unused and expired exceptions of the policy file and the server',
  examples: ['relt gate audit', 'relt gate audit --policy relt.yaml --cluster prod-eu --json'],
  args: [['[run]', `${runForms} (default: ${defaultRuns})`]],
  options: {
    ...onlyClusterOptions,
    ...gateOptions,
  },
  run: async (cli, id, options) => {
    const { context, io } = cli
    const policy =
      (await loadPolicyIfAny(options, context)) ?? (await loadPolicy({ ...options, failOn: [...everyRule] }, context))
    const judgements = await judgeRuns(cli, id, { ...options, policy })
    const results = judgements.map(({ result }) => result)
    const [first, ...others] = results.map(pickSubject)
    const exceptions = mergeUses(results.map((result) => result.exceptions))
    const accept_not_run = mergeUses(results.map((result) => result.accept_not_run))
    const accept_scope = mergeUses(results.map((result) => result.accept_scope))
    const remarks = [...new Set(results.flatMap((result) => result.remarks ?? []))]
    await show<Row>(cli, {
      body: {
        ...{ ...first, ...(others.length > 0 && { others }) },
        ...{ ...exceptions, accept_not_run, accept_scope, ...(remarks.length > 0 && { remarks }) },
      },
      rows: (['expired', 'unused', 'used'] as const).flatMap((state) => [
        ...exceptions[state].map((exception) => ({ ...exception, state })),
        ...accept_not_run[state].map((accepted) => ({ ...accepted, state, about: 'not run' as const })),
        ...accept_scope[state].map((accepted) => ({ ...accepted, state, about: 'out of scope' as const })),
      ]),
      columns,
      remarks: remarks.map(note),
      empty: 'Neither the policy file nor the server has exceptions.',
    })
    for (const { rule, verdict, reason } of results.flatMap(({ rules }) => rules)) {
      if (verdict === 'undecided')
        io.err(`${rule} is undecided, so its exceptions do not show as used: ${plain(reason)}\n`)
    }
  },
})

/** Without policy rules, an exception counts as used if it matches any of these. */
const everyRule = ['findings>=info', 'affected>=low', 'major-behind>0', 'eol', 'exploited'] as const

type Row = Omit<ExceptionUse, 'reason' | 'expires'> & {
  state: keyof ExceptionUses
  reason?: string
  expires?: string
  /** Kind of policy entry: accept_not_run or accept_scope. */
  about?: 'not run' | 'out of scope'
  /** Kind of an accept_scope pattern. */
  kind?: string
}

type Group = 'used' | 'unused' | 'expired'
type Uses<T> = Record<Group, T[]>

/** Merges the uses of the same entries by several runs: an entry is used if one of the runs needs it. */
function mergeUses<T extends { matched: number }>(all: Uses<T>[]): Uses<T> {
  const merged = new Map<string, { group: Group; use: T }>()
  for (const uses of all) {
    for (const group of ['expired', 'used', 'unused'] as const) {
      for (const use of uses[group]) {
        const key = JSON.stringify({ ...use, matched: 0 })
        const known = merged.get(key)
        const isFirst = known === undefined || (known.group === 'unused' && group === 'used')
        const matched = (known?.use.matched ?? 0) + use.matched
        merged.set(key, { group: isFirst ? group : known.group, use: { ...use, matched } })
      }
    }
  }
  const of = (wanted: Group) => [...merged.values()].flatMap(({ group, use }) => (group === wanted ? [use] : []))
  return { used: of('used'), unused: of('unused'), expired: of('expired') }
}

const columns = ({ isTerminal }: Io): Column<Row>[] => [
  { title: titles.state, value: ({ state }) => state },
  { title: titles.matches, value: (row) => meets(row, isTerminal ? shortFingerprint : undefined), min: 16 },
  { title: titles.matched, value: ({ matched }) => String(matched), align: 'right' },
  { title: titles.until, value: formatUntil, min: 10 },
  { title: titles.reason, value: ({ reason }) => reason ?? '', min: 12 },
  { title: titles.source, value: ({ source }) => source, min: 10, from: 100 },
]

function meets(
  { fingerprint, finding, check, namespace, resource, advisory, artifact, kind, about }: Row,
  fingerprintLength?: number,
): string {
  if (about === 'not run') return `not run: ${check}`
  if (fingerprint !== undefined) return finding ?? fingerprint.slice(0, fingerprintLength)
  const parts = { check, namespace, resource, advisory, artifact, kind }
  const texts = Object.entries(parts)
    .flatMap(([name, pattern]) => (pattern === undefined ? [] : `${name}=${pattern}`))
    .join(' ')
  return about === undefined ? texts : `${about}: ${texts}`
}

/** A policy entry may have no end. */
const formatUntil = ({ expires, next_release_of }: Row): string =>
  expires === undefined ? '' : plainText(untilSaid({ expires_on: expires, next_release_of }))
