import type { PolicyVerdict, RunGate } from '../../../contract/gate-verdict.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import type { Io } from '../../output/io.ts'
import { paintVerdict, signs } from './view.ts'

/** `failed (2026-11-22 10:00:00)`, for a line of details. */
export function gateText(io: Io, gate: RunGate | null | undefined): string {
  return gate ? `${paintVerdict(io, gate.verdict)(gate.verdict)} (${gate.at})` : 'no verdict is recorded'
}

/** The verdict of each policy with its reasons; rules that passed are counted. */
export function renderRecorded(io: Io, gate: RunGate | null | undefined): string {
  return (gate?.policies ?? []).map((policy) => renderPolicy(io, policy)).join('')
}

function renderPolicy(
  io: Io,
  { verdict, policy, rules, exceptions, accept_scope = [], at, by }: PolicyVerdict,
): string {
  const { color } = io
  const open = rules.filter((rule) => rule.verdict !== 'passed')
  const passed = rules.length - open.length
  const lines = [
    `${paintVerdict(io, verdict)(signs[verdict])} ${color.bold(plain(policy.name))} ${verdict}${color.dim(
      `, recorded by ${plain(by)} at ${at}, policy ${policy.digest.slice(0, 12)}`,
    )}`,
    ...open.map(
      (rule) => `    ${paintVerdict(io, rule.verdict)(signs[rule.verdict])} ${plain(rule.rule)}  ${plain(rule.reason)}`,
    ),
    ...(passed > 0
      ? [color.dim(`    ${passed} of ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'} passed`)]
      : []),
    ...exceptions.map(({ source, reason, expires, matched }) =>
      color.dim(`    exception ${plain(source)} let ${matched} pass until ${expires}: ${plain(reason)}`),
    ),
    ...accept_scope.map(({ source, reason, matched }) =>
      color.dim(`    ${plain(source)} accepts ${matched} out of scope: ${plain(reason)}`),
    ),
  ]
  return `${lines.join('\n')}\n`
}
