import type { UpgradeCheck, UpgradeReason } from '../contract/upgrade.ts'
import type { ApiRemoval } from '../contract/upgrade-facts.ts'
import { apiText, oppositeOrderText, rangeText } from '../views/upgrade-text.ts'
import type { PartFacts } from './answer-part.ts'
import type { MovedPart, StuckPart } from './move-part.ts'
import type { PlanPart } from './part.ts'
import type { ApiUsers } from './removals.ts'

/** Reasons for the verdict from one part. */
export function reasonsOfPart({ part, needs, reading, stuck }: MovedPart, facts: PartFacts): UpgradeReason[] {
  const about = { project_slug: part.slug }
  if (needs === 'blocked') {
    const says = stuck?.opposite ? oppositeText(part.name, stuck) : blockedText(part, stuck?.hop, facts)
    return [{ word: 'blocked', ...about, says }]
  }
  if (needs !== 'unknown') return []
  // A part with a published range is known, if not for this Kubernetes; one whose target is missing from the catalog is not.
  const isUnknown = stuck?.oldSince || (part.isCoupled && (reading.by === undefined || stuck?.mayStay === false))
  const says = isUnknown && !reading.by ? facts.published.says : openText(facts)
  return [{ word: isUnknown ? 'undetermined' : 'not_stated', ...about, says }]
}

/** It must be replaced before Kubernetes, but the next version needs Kubernetes first. */
function oppositeText(name: string, { hop, part, reading, opposite }: StuckPart) {
  const because = [reading.by, opposite?.by].flatMap((row) => (row ? [rangeText(name, row)] : []))
  return [oppositeOrderText(name, { version: part.version, line: opposite?.by?.line, hop }), ...because].join(' ')
}

function openText({ published, open, states }: PartFacts) {
  return [published, ...(open ? [open] : []), ...states].map(({ says }) => says).join(' ')
}

function blockedText(
  { name, version }: PlanPart,
  hop: string | undefined,
  { published, refused, passed, states: [state] }: PartFacts,
) {
  return [
    `No good version of ${name} goes with Kubernetes ${hop}, and ${version} does not: ${published.says}`,
    ...[refused, ...passed, state].flatMap((fact) => (fact ? [fact.says] : [])),
  ].join(' ')
}

export function reasonsOfApi(api: ApiRemoval, users: ApiUsers | undefined, hop: string): UpgradeReason[] {
  const about = { project_slug: null }
  const served = `Kubernetes ${hop} does not serve ${apiText(api)}`
  if (users) {
    const names = users.names.join(', ')
    if (users.isCertain) return [{ word: 'blocked', ...about, says: `${served}, which ${names} uses.` }]
    const says = `${served}, with which ${names} was written; nobody states whether its client still uses it.`
    return [{ word: 'not_stated', ...about, says }]
  }
  // Alpha versions are disabled unless explicitly enabled.
  if (api.version.includes('alpha')) return []
  return [{ word: 'not_stated', ...about, says: `${served}, and its users are not collected.` }]
}

export function verdictFor(reasons: readonly UpgradeReason[]): UpgradeCheck['verdict'] {
  const has = (word: UpgradeReason['word']) => reasons.some((reason) => reason.word === word)
  if (has('blocked')) return 'blocked'
  if (has('undetermined')) return 'undetermined'
  return has('not_stated') ? 'warnings' : 'ready'
}
