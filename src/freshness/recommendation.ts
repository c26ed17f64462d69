import type { ReleaseList } from './releases.ts'
import { type Verdict, written } from './verdict.ts'
import { compareNumbers, type Version } from './versions.ts'

export interface Advice {
  /** Of the project or chart; undefined when nobody in the catalog publishes the artifact. */
  name: string | undefined
  current: Version | undefined
  verdict: Verdict
  /** Newest stable version of the project, whatever the tag family. */
  newest: string | null
  catalogDate: string
}

/** The next safe step and the newest version, in one or two short sentences. */
export function recommend(advice: Advice): string {
  const { status, mode, latest, step, isAhead } = advice.verdict
  if (status === 'unknown') return recommendForUnknown(advice)
  if (isAhead) return `Nothing to do; the catalog is of ${advice.catalogDate}.`
  if (status === 'up_to_date') return `Nothing to do${mode === 'line' ? '; pin a full version to know what runs' : ''}.`
  const form = advice.current && tagForm(advice.current, step ?? latest)
  const look = form ? ` Look for a tag like ${form}.` : ''
  if (mode === 'line') return `Move to the line ${latest}.${look}`
  if (step) return `Upgrade to ${step} first; the newest is ${latest}.${look}`
  return status === 'major_behind' ? `Plan the upgrade to ${latest}.${look}` : `Upgrade to ${latest}.${look}`
}

/** An image that a chart brings is upgraded with the chart, else the next rollout of the chart undoes it. */
export function recommendChart(chart: string, { status, latest }: Verdict): string {
  if (status === 'up_to_date') return 'Nothing to do.'
  if (status === 'unknown') return `See the chart ${chart}, which brings this image.`
  const newest = latest === null ? '' : `; the newest version of the image is ${latest}`
  return `Upgrade the chart ${chart}, which brings this image${newest}.`
}

/** Kubernetes must not skip a minor version: newest patch, then the next minor, then on to the newest. */
export function recommendKubernetes({ stable }: ReleaseList, current: Version, { sameLine, latest }: Verdict): string {
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
