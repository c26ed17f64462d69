import type { Artifacts, ImageArtifact } from '../reports/artifact.ts'
import { familiar, type ImageRef, normalised, parseImageRef, repositoryOf } from './image-ref.ts'
import { type Assessed, assess, type Subject } from './item.ts'
import type { Known } from './known.ts'
import { noMatch } from './match.ts'
import { matchImage, runningVersion } from './match-image.ts'
import { lastSegment } from './names.ts'
import { recommendChart } from './recommendation.ts'

export interface AssessedImage extends Assessed {
  repository: string
  artifacts: ImageArtifact[]
}

/** Of a text that is no reference: enough to find it. */
const longestKey = 300

/** One for each distinct reference, however it is written. */
export function assessImages({ images, charts, imageSource }: Artifacts, known: Known): AssessedImage[] {
  const chartNames = new Set(charts.flatMap(({ name, version }) => [name, `${name}-${version}`]))
  return [...groupByReference(images)].map(([key, { ref, artifacts }]) => {
    const name = ref ? familiar(ref) : key
    const repository = ref ? repositoryOf(ref) : ''
    const calls = [
      lastSegment(repository),
      ...artifacts.flatMap(({ helmChart, helmRelease }) => [helmChart ?? '', helmRelease ?? '']),
    ]
    const subject = {
      type: 'image' as const,
      key,
      name,
      source: imageSource,
      places: artifacts,
      calls,
    }
    const assessed = { ...assess({ ...subject, ...withProject(ref, known) }, known), repository, artifacts }
    const chart = artifacts.find(({ helmChart }) => helmChart !== null && chartNames.has(helmChart))?.helmChart
    if (!chart) return assessed
    return { ...assessed, recommendation: recommendChart(chart, assessed.verdict), isInherited: true }
  })
}

type WithProject = Pick<Subject, 'match' | 'currentVersion' | 'current' | 'unreadable' | 'releases'>

function withProject(ref: ImageRef | undefined, known: Known): WithProject {
  const unread = { current: undefined, releases: undefined, unreadable: '' }
  if (!ref) return { match: noMatch('This is no image reference'), currentVersion: null, ...unread }
  const match = matchImage(ref, known)
  const tag = ref.tag ?? (ref.digest === null ? 'latest' : null)
  const { project } = match
  if (!project) return { match, currentVersion: tag, ...unread }
  const releases = { of: project.name, list: known.book.app(project) }
  const current = runningVersion(ref, project, known.book)
  const unreadable = tag === null ? 'a digest alone tells no version' : `the tag ${tag} tells no version`
  return { match, currentVersion: tag, current, releases, unreadable }
}

function groupByReference(images: ImageArtifact[]) {
  const groups = new Map<string, { ref: ImageRef | undefined; artifacts: ImageArtifact[] }>()
  for (const image of images) {
    const ref = parseImageRef(image.reference)
    const key = ref ? normalised(ref) : image.reference.slice(0, longestKey)
    const group = groups.get(key) ?? { ref, artifacts: [] }
    group.artifacts.push(image)
    groups.set(key, group)
  }
  return groups
}
