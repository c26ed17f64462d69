import type { Eol, FreshnessStatus } from '../contract/freshness.ts'
import { supportText } from '../lifecycle/support-text.ts'
import type { ReleaseList } from './releases.ts'
import { type VersionVerdict, written } from './verdict.ts'
import { compareNumbers, type Version } from './versions.ts'

/** The running cycle with its usual name: `Ubuntu 20.04`. */
export interface Support extends Eol {
  name: string
}

export interface Advice {
  /** Name of the project or chart; undefined if no project of the catalog publishes the artifact. */
  name: string | undefined
  current: Version | undefined
  verdict: VersionVerdict
  support: Support | undefined
  /** Newest stable version of the project, whatever the tag family. */
  newest: string | null
  catalogDate: string
}

/** The next safe step, the newest version and an ended support, in a few short sentences. */
export function recommend(advice: Advice): string {
  const { verdict, support, catalogDate } = advice
  if (verdict.status === 'unknown') return withSupport(recommendForUnknown(advice), support)
  if (verdict.status !== 'up_to_date') return withSupport(recommendUpgrade(advice), support)
  if (support?.is_eol)
    return `${supportText(support.name, support)}, and the catalog of ${catalogDate} has no newer release.`
  if (verdict.isAhead) return `Nothing to do; the catalog is of ${catalogDate}.`
  return `Nothing to do${verdict.mode === 'line' ? '; pin a full version to know what runs' : ''}.`
}

/** Adds that support has ended. */
export function withSupport(advice: string, support: Support | undefined): string {
  return support?.is_eol ? `${advice} ${supportText(support.name, support)}.` : advice
}

function recommendUpgrade({ verdict, support, current }: Advice): string {
  const { status, mode, latest, step, lts } = verdict
  if (lts === 'stay' && support) {
    return `Stay on the newest LTS: ${supportText(support.name, support)}. The newest release is ${latest}.`
  }
  const form = current && tagForm(current, step ?? latest)
  const look = form ? ` Look for a tag like ${form}.` : ''
  const line = mode === 'line' ? 'the line ' : ''
  if (step && lts === 'next') return `Upgrade to ${line}${step}, the next LTS; the newest is ${latest}.${look}`
  if (mode === 'line') return `Move to the line ${step ?? latest}.${look}`
  if (step) return `Upgrade to ${step} first; the newest is ${latest}.${look}`
  return status === 'major_behind' ? `Plan the upgrade to ${latest}.${look}` : `Upgrade to ${latest}.${look}`
}

/** The chart that installs an image. */
export interface ChartUpgrade {
  name: string
  /** Verdict on the chart's own version. */
  status: FreshnessStatus
}

/** An image installed by a chart is upgraded with the chart; otherwise the chart's next rollout reverts it. */
export function recommendChart(
  chart: ChartUpgrade,
  advice: Pick<Advice, 'verdict' | 'support' | 'catalogDate'>,
): string {
  const { verdict, support } = advice
  if (verdict.status === 'unknown')
    return withSupport(`See the chart ${chart.name}, which installs this image.`, support)
  if (verdict.status === 'up_to_date' && !support?.is_eol) return 'Nothing to do.'
  const { latest } = verdict
  const newest =
    latest === null || verdict.status === 'up_to_date' ? '' : `; the newest version of the image is ${latest}`
  return withSupport(`${chartStep(chart)}${newest}.`, support)
}

function chartStep({ name, status }: ChartUpgrade): string {
  if (status === 'up_to_date')
    return `The chart ${name} installs this image and is the newest: its values may set another version`
  if (status === 'unknown') return `Look for a newer version of the chart ${name}, which installs this image`
  return `Upgrade the chart ${name}, which installs this image`
}

/** Kubernetes must not skip a minor version: newest patch, then the next minor, then on to the newest. */
export function recommendKubernetes(
  { stable }: ReleaseList,
  current: Version,
  { sameLine, latest }: VersionVerdict,
): string {
  const [major = '', minor = ''] = current.segments
  const next = [major, String(Number(minor) + 1)]
  const minorOf = (version: Version) => version.segments.slice(0, 2)
  const newest = stable.find(({ version }) => compareNumbers(minorOf(version), minorOf(current)) > 0)?.version
  if (!newest) return `Upgrade to ${sameLine ?? latest}.`
  const following = stable.find(({ version }) => compareNumbers(minorOf(version), next) === 0)?.version
  const nextMinor = following ? written(following, current) : current.prefix + next.join('.')
  const steps = new Set([...(sameLine ? [sameLine] : []), nextMinor, written(newest, current)])
  return `Upgrade to ${[...steps].join(', then to ')}, one minor version at a time.`
}

function recommendForUnknown({ name, current, newest }: Advice): string {
  if (name === undefined) return 'Follow its releases at its publisher.'
  if (newest === null) return `Follow the releases of ${name} at its publisher.`
  return `${current ? 'Compare by hand' : 'Pin a version'}: the newest of ${name} is ${newest}.`
}

/** A tag of the same kind of image, when the running one says more than a version. */
function tagForm({ isTag, text, prefix, bare, variant }: Version, version: string | null): string | undefined {
  const isForm = isTag && variant !== '' && text === prefix + bare
  return version !== null && isForm ? `${version}-${variant}` : undefined
}
