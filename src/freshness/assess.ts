import type { ReleaseFault } from '../contract/state-facts.ts'
import type { AssessedItem } from './assessed.ts'
import { type CycleOf, withoutCycles } from './cycle-of.ts'
import { type CatalogFacts, factsDay } from './prepare-catalog.ts'
import { advisoryBookOf, securityOf } from './running-security.ts'
import { faultOf, statesOf } from './states.ts'
import { judge } from './status.ts'
import { placeOf } from './steps/place.ts'
import { newerLinesOf, stepsOfSubject } from './steps/steps-of-subject.ts'
import type { AssessmentSubject } from './subject.ts'
import { unknownVerdict, type VersionVerdict, written } from './verdict.ts'

/** Everything that is known of one artifact, and the steps from it. */
export function assess(subject: AssessmentSubject, known: CatalogFacts): AssessedItem {
  const cycleOf = cyclesOf(subject, known)
  const { current } = subject
  const place = placeOf(subject, known)
  const fault = faultOf(subject, place, known)
  const verdict = withFault(judgeSubject(subject, cycleOf), fault)
  const eol = current && cycleOf(current)
  const support = eol && { ...eol, name: `${subject.match.project!.name} ${eol.cycle}` }
  const states = statesOf(subject, { place, verdict, support, fault }, known)
  const lines = newerLinesOf(subject, { verdict, place, cycleOf }, known)
  const advisoryBook = advisoryBookOf(subject, known)
  const security = advisoryBook && securityOf(subject, { verdict, lines }, advisoryBook)
  const steps = stepsOfSubject(subject, { lines, security, advisoryBook, place, states }, known)
  const newest = newestVersion(subject)
  const catalogDate = factsDay(known, subject)
  return {
    ...subject,
    ...{ verdict, security, advisoryBook, newest, support, place, states, steps, catalogDate },
    isInherited: false,
  }
}

/** The catalog knows a release that nobody should take, even where it is above all others. */
function withFault(verdict: VersionVerdict, fault: ReleaseFault | undefined): VersionVerdict {
  if (!fault || !verdict.isAhead) return verdict
  return { ...verdict, isAhead: false, evidence: `nobody should take it; the newest good release is ${verdict.latest}` }
}

/** A chart's version is not the version of what it installs. */
function cyclesOf({ type, match: { project } }: AssessmentSubject, { endOfLifeOf, today }: CatalogFacts): CycleOf {
  if (!project || type === 'helm_chart') return withoutCycles
  return ({ lead, segments }) => (lead === '' ? endOfLifeOf(project, segments, today) : undefined)
}

function judgeSubject({ releases, current, unreadable }: AssessmentSubject, cycleOf: CycleOf): VersionVerdict {
  if (!releases) return unknownVerdict('')
  const { list, of } = releases
  if (list.all.length === 0) return unknownVerdict(`known, no releases: the catalog has none of ${of}`)
  return current ? judge(list, current, cycleOf) : unknownVerdict(unreadable)
}

/** Written like the running version where there is one. */
function newestVersion({ releases, current }: AssessmentSubject): string | null {
  const version = releases?.list.newest?.version
  if (!version) return null
  return current ? written(version, current) : version.bare
}
