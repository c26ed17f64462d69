import type { PolicyVerdict, RunGate } from '../../../contract/gate-verdict.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { isOpenRule, policyTone, ruleTone, verdictSigns } from '../../../views/gate.ts'
import type { Io } from '../../output/io.ts'

/** Renders each policy's verdict with its reasons; rules that passed are only counted. */
export function renderRecorded(io: Io, gate: RunGate | null | undefined): string {
  return (gate?.policies ?? []).map((policy) => renderPolicy(io, policy)).join('')
}

function renderPolicy(io: Io, recorded: PolicyVerdict): string {
  const { verdict, policy, rules, exceptions, undecided_lines = [], at, by } = recorded
  const { color } = io
  const open = rules.filter(isOpenRule)
  const passed = rules.filter((rule) => rule.verdict === 'passed').length
  const lines = [
    `${paint(io, policyTone(recorded))(verdictSigns[verdict])} ${color.bold(plain(policy.name))} ${verdict}${color.dim(
      `, recorded by ${plain(by)} at ${at}, policy ${policy.digest.slice(0, 12)}`,
    )}`,
    ...open.map(
      (rule) =>
        `    ${paint(io, ruleTone(rule))(verdictSigns[rule.verdict])} ${plain(rule.rule)}  ${plain(rule.reason)}`,
    ),
    ...(passed > 0 ? [color.dim(`    ${passed} of ${count(rules.length, 'rule')} passed`)] : []),
    ...exceptions.map((used) =>
      color.dim(
        `    exception ${plain(used.source)} in ${plain(used.where ?? 'its policy')} let ${used.matched} pass until ${used.expires}: ${plain(used.reason)}`,
      ),
    ),
    ...undecided_lines.map(({ source, expires, matched }) =>
      color.dim(
        `    ${plain(source)} let ${matched} pass until ${expires} that ${matched === 1 ? 'is' : 'are'} not known`,
      ),
    ),
  ]
  return `${lines.join('\n')}\n`
}
