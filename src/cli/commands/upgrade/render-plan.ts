import type { UpgradeEvidence, UpgradeHop, UpgradePlan, UpgradeStep } from '../../../contract/upgrade.ts'
import { drawNote, drawSaid } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { capital } from '../../../util/words.ts'
import {
  allReasons,
  breaksSaid,
  hopTitle,
  ownerLines,
  stepNotes,
  stepTitle,
  upgradeVerdict,
  whenWords,
  whyFacts,
  whyLines,
} from '../../../views/upgrade.ts'
import type { Io } from '../../output/io.ts'

/** The verdict, then each hop with its steps in order. */
export function renderPlan(io: Io, plan: UpgradePlan, explain: boolean) {
  const { words, gaps } = upgradeVerdict(plan)
  const why = (explain ? allReasons(plan) : gaps).map((said) => `  ${drawSaid(io, said)}.\n`).join('')
  const now = plan.steps.filter(({ hop }) => hop === null)
  const hops = plan.hops.map((hop) => renderHop(io, hop, { plan, explain }))
  const missing = plan.missing.map(({ what, how }) => `${io.color.dim(plain(`Not collected: ${what}. ${how}`))}\n`)
  const steps = `${now.map((step) => renderStep(io, step, explain)).join('')}${hops.join('')}`
  return `${drawSaid(io, words)}\n${why}${steps}${missing.length > 0 ? '\n' : ''}${missing.join('')}`
}

function renderHop(io: Io, hop: UpgradeHop, { plan, explain }: { plan: UpgradePlan; explain: boolean }) {
  const own = plan.steps.filter(({ number }) => hop.steps.includes(number))
  const lines = [...Map.groupBy(own, ({ when }) => capital(whenWords[when]))].map(
    ([title, steps]) => `  ${title}\n${steps.map((step) => renderStep(io, step, explain)).join('')}`,
  )
  return `\n${drawSaid(io, hopTitle(hop))}\n${lines.join('')}`
}

function renderStep(io: Io, step: UpgradeStep, explain: boolean) {
  const breaks = step.kind === 'part' ? `  ${drawSaid(io, breaksSaid(step))}` : ''
  const title = `   ${io.color.bold(drawSaid(io, stepTitle(step)))}${breaks}\n`
  if (!explain)
    return `${title}${whyLines(step)
      .map((line) => `      ${plain(line)}\n`)
      .join('')}${renderOwners(io, step)}`
  const sourceFor = ({ source, as_of }: UpgradeEvidence) =>
    io.color.dim(plain([source, as_of].filter(Boolean).join(', ')))
  const { why, others } = whyFacts(step)
  const lines = why.map(({ line, fact }) => `      ${plain(line)}${fact ? ` ${sourceFor(fact)}` : ''}\n`)
  const notes = stepNotes(step).map((note) => `      ${drawNote(io, note)}\n`)
  const facts = others.map((fact) => `      ${io.color.dim(plain(fact.says))} ${sourceFor(fact)}\n`)
  return `${title}${[...lines, ...notes, ...facts].join('')}${renderOwners(io, step)}`
}

const renderOwners = (io: Io, step: UpgradeStep) =>
  ownerLines(step)
    .map((said) => `      ${drawSaid(io, said)}.\n`)
    .join('')
