import { daysOld } from '../contract/facts-age.ts'
import type { ProjectFact, ReleaseFault, RepositoryFact } from '../contract/state-facts.ts'
import type { ArtifactNote, ArtifactState, StateReason } from '../contract/step.ts'
import { supportText } from '../lifecycle/support-text.ts'
import type { Support } from './cycle-of.ts'
import { isRetired } from './facts/project-facts.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { StepPlace } from './steps/place.ts'
import type { AssessmentSubject } from './subject.ts'
import type { VersionVerdict } from './verdict.ts'

/** States of an artifact other than being outdated. */
export interface ArtifactStates {
  reasons: StateReason[]
  /** Facts that do not affect its state. */
  notes: ArtifactNote[]
  /** Why nobody should run the version. */
  fault: ReleaseFault | undefined
}

interface Judged {
  place: StepPlace
  verdict: VersionVerdict
  support: Support | undefined
  fault: ReleaseFault | undefined
  catalogDate: string
}

export function toStates(subject: AssessmentSubject, judged: Judged, known: CatalogFacts): ArtifactStates {
  const { place, verdict, support, fault, catalogDate } = judged
  const projects = projectFactsFor(subject, place, known)
  const ended = projects.filter((fact) => isRetired(fact, known.today))
  // A project that ended has no newer releases.
  const isOld = ended.length === 0 && verdict.status !== 'unknown' && daysOld(catalogDate, known.now) > 0
  return {
    fault,
    reasons: [
      ...(fault && fault.kind !== 'republished'
        ? [toReason(fault.kind === 'malicious' ? 'compromised' : 'withdrawn', null, fault.reason, fault.source)]
        : []),
      ...ended.map((fact) => reasonOfProject(fact, known)),
      ...place.facts.flatMap((fact) => reasonOfPlace(fact)),
      ...(support?.is_eol ? [toReason('unsupported', support.date, `${supportText(support.name, support)}.`)] : []),
      ...(verdict.isAhead ? [toReason('above_known', null, `${verdict.evidence}.`)] : []),
      ...(isOld ? [toReason('old_facts', catalogDate, `Its releases are known until ${catalogDate}.`)] : []),
    ],
    notes: [
      ...projects.filter((fact) => !ended.includes(fact)).map(noteFor),
      ...place.facts
        .filter(({ state }) => state === 'paid')
        .map((fact) => noteFor({ ...fact, state: 'paid', what: `${fact.repository}: ${fact.what}` })),
    ],
  }
}

function projectFactsFor(
  { match, chart, current, currentVersion }: AssessmentSubject,
  { repositories }: StepPlace,
  { facts }: CatalogFacts,
) {
  return facts.projects.find({ slug: match.project?.slug, repositories, chart, tag: currentVersion, version: current })
}

function reasonOfProject(fact: ProjectFact, { facts, today }: CatalogFacts): StateReason {
  const { since, security_fixes_until, what, source, successors = [], last_release } = fact
  const isLiving = (name: string) => !facts.projects.ofSlug(name).some((other) => isRetired(other, today))
  return {
    state: 'retired',
    since: since ?? security_fixes_until ?? null,
    what,
    source,
    successors: successors.filter(isLiving),
    ...(last_release !== undefined && { last_release }),
  }
}

const stateOfPlace: Partial<Record<RepositoryFact['state'], ArtifactState>> = { frozen: 'frozen', moved: 'moved' }

/** A repository that is closed and has moved counts as moved. */
function reasonOfPlace({ state, since, what, source, moved_to, repository }: RepositoryFact): StateReason[] {
  if (state === 'paid') return []
  const own = stateOfPlace[state] ?? (moved_to === undefined ? 'frozen' : 'moved')
  const successors = moved_to === undefined ? [] : [moved_to]
  return [{ state: own, since: since ?? null, what: `${repository}: ${what}`, source, successors }]
}

function toReason(state: ArtifactState, since: string | null, what: string, source: string | null = null): StateReason {
  return { state, since, what, source, successors: [] }
}

type NotedFact = Pick<ProjectFact, 'since' | 'what' | 'source' | 'successors'> & { state: ArtifactNote['kind'] }

function noteFor({ state, since, what, source, successors = [] }: NotedFact): ArtifactNote {
  return { kind: state, since: since ?? null, what, source, successors }
}
