import type { FoundRelease, Outcome } from '../collectors/collector.ts'
import type { Osv } from '../collectors/osv/index.ts'
import { highest } from '../security/severity-in-text.ts'

/** Of one release: its notes may list those of every dependency. */
const mostAsked = 10

/** The same releases; where nobody says how severe their advisories are, what OSV says. One failure ends the asking. */
export async function withAdvisories(outcome: Outcome, osv: Pick<Osv, 'advisory'>): Promise<Outcome> {
  if (outcome.kind !== 'changed') return outcome
  const releases: FoundRelease[] = []
  let isReachable = true
  for (const release of outcome.releases) {
    const { security } = release
    if (!isReachable || !security || (security.severity ?? 'none') !== 'none') {
      releases.push(release)
      continue
    }
    const answers = []
    for (const id of security.ids.slice(0, mostAsked)) {
      const answer = await osv.advisory(id)
      isReachable = answer.kind === 'found' || answer.kind === 'absent'
      if (!isReachable) break
      if (answer.kind === 'found') answers.push(answer.value)
    }
    const summary = answers.find((advisory) => advisory.summary !== '')?.summary ?? security.summary
    const severity = highest(answers.map((advisory) => advisory.severity))
    releases.push({ ...release, security: { ...security, severity, ...(summary && { summary }) } })
  }
  return { ...outcome, releases }
}
