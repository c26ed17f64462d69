import type { Eol } from '../contract/eol.ts'
import type { ReleaseFault } from '../contract/state-facts.ts'
import type { EolReader } from '../lifecycle/cycle.ts'
import { kubernetesSupport } from '../lifecycle/kubernetes-support.ts'
import { remember } from '../util/remember.ts'
import type { AssessedItem } from './assessed.ts'
import { type CycleOf, withoutCycles } from './cycle-of.ts'
import { withDistribution } from './distribution.ts'
import { faultFinder, releasesOfImage } from './facts/fault-finder.ts'
import type { FindFault } from './facts/release-faults.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { toAdvisoryBook, toSecurity, withFaultAdvisory } from './running-security.ts'
import { toStates } from './states.ts'
import { judge } from './status.ts'
import type { FoundSteps } from './steps/find-steps.ts'
import { placeFor, type StepPlace } from './steps/place.ts'
import { newerLinesFor, stepsOfSubject } from './steps/steps-of-subject.ts'
import { type AssessmentSubject, isByApp } from './subject.ts'
import { byOldFacts, unknownVerdict, type VersionVerdict, written } from './verdict.ts'
import { parseVersion } from './versions.ts'

/** Assesses one artifact by all known facts, with the steps from it. */
export function assess(asked: AssessmentSubject, known: CatalogFacts): AssessedItem {
  const place = placeFor(asked, known)
  const subject = withGoodReleases(withDistribution(asked, known), place, known)
  const findFault = faultFinder(subject, place, known)
  const cycleFor = toCycles(subject, findFault, known)
  const { current } = subject
  const fault = findFault(subject.currentVersion, isByApp(subject) ? undefined : current)
  const ofReleases = withFault(judgeSubject(subject, cycleFor), fault)
  const judged = isByApp(subject) ? ofApp(ofReleases, subject) : ofReleases
  const eol = current && cycleFor(current)
  const support = eol && { ...eol, name: `${subject.match.project!.name} ${eol.cycle}` }
  const catalogDate = subject.releases?.list.knownUntil ?? known.date
  const states = toStates(subject, { place, verdict: judged, support, fault, catalogDate }, known)
  const verdict = states.reasons.some(({ state }) => state === 'old_facts') ? byOldFacts(judged, catalogDate) : judged
  const lines = newerLinesFor(subject, verdict, cycleFor)
  const advisoryBook = toAdvisoryBook(subject, known)
  const measured = advisoryBook && toSecurity(subject, { verdict, lines }, advisoryBook)
  const security = measured && withFaultAdvisory(measured, fault, advisoryBook)
  const { find, question } = stepsOfSubject(subject, { lines, security, advisoryBook, place, states }, known)
  const newest = isByApp(subject) ? null : newestVersion(subject, cycleFor)
  let steps: FoundSteps | undefined
  return {
    ...subject,
    verdict,
    security,
    advisoryBook,
    newest,
    support,
    place,
    states,
    question,
    catalogDate,
    findFault,
    isInherited: false,
    get steps() {
      steps ??= find()
      return steps
    },
  }
}

/** Excludes releases whose image is faulty. */
function withGoodReleases(subject: AssessmentSubject, place: StepPlace, known: CatalogFacts) {
  const { releases, type } = subject
  if (!releases || type !== 'image') return subject
  const list = releasesOfImage(releases.list, place, known)
  return list === releases.list ? subject : { ...subject, releases: { ...releases, list } }
}

/** If the version is above all others, the catalog still knows a faulty release. */
function withFault(verdict: VersionVerdict, fault: ReleaseFault | undefined) {
  if (!fault || !verdict.isAhead) return verdict
  return { ...verdict, isAhead: false, evidence: `nobody should take it; the newest good release is ${verdict.latest}` }
}

/** The releases are those of the app, so they lead to no version of the chart; one above them may be of another app. */
function ofApp(verdict: VersionVerdict, { chart }: AssessmentSubject): VersionVerdict {
  const evidence = `the catalog has no releases of the chart ${chart}; by its app: ${verdict.evidence}`
  return { ...verdict, evidence, latest: null, isAhead: false }
}

/** A chart's version is not that of its app. The last release of a cycle may be faulty. */
function toCycles(
  { type, match: { project }, offering: provider, releases }: AssessmentSubject,
  findFault: FindFault,
  { endOfLifeFor, today }: CatalogFacts,
): CycleOf {
  if (!project || type === 'helm_chart') return withoutCycles
  if (type === 'kubernetes') {
    const upstream: EolReader = (segments) => endOfLifeFor(project, segments, today)
    const support = (version: string) => kubernetesSupport({ version, provider, today, upstream }).eol
    // The last release of a Kubernetes cycle is not a distribution's release.
    return ({ text }) => (releases?.by ? withoutLatest(support(text)) : support(text))
  }
  const faults = new Map<string, ReleaseFault | undefined>()
  return ({ lead, segments }) => {
    const cycle = lead === '' ? endOfLifeFor(project, segments, today) : undefined
    const latest = cycle?.latest
    const isBad = latest !== undefined && remember(faults, latest, () => findFault(latest, parseVersion(latest)))
    return isBad ? withoutLatest(cycle) : cycle
  }
}

function withoutLatest(cycle: Eol | undefined) {
  if (cycle?.latest === undefined) return cycle
  const { latest: _, ...rest } = cycle
  return rest
}

function judgeSubject({ releases, current, unreadable }: AssessmentSubject, cycleFor: CycleOf) {
  if (!releases) return unknownVerdict('')
  const { list, of } = releases
  if (list.all.length === 0) return unknownVerdict(`known, no releases: the catalog has none of ${of}`)
  return current ? judge(list, current, cycleFor) : unknownVerdict(unreadable)
}

/** In the format of the running version if there is one; in the long-term support line if the tag names one. */
function newestVersion({ releases, current, currentVersion }: AssessmentSubject, cycleFor: CycleOf) {
  const list = releases?.list
  const long = /^lts\b/.test(currentVersion ?? '')
    ? list?.stable.find(({ version }) => cycleFor(version)?.is_lts)?.version
    : undefined
  const version = long ?? list?.newest?.version
  if (!version) return null
  return current ? written(version, current) : version.bare
}
