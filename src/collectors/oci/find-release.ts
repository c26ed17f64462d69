import type { FoundRelease } from '../../catalog/found-release.ts'
import { isWebAddress } from '../../contract/shape.ts'
import { readAnnotations } from '../helm/annotations.ts'
import { createYamlParser } from '../helm/yaml.ts'
import { createdIn, type ReadResult, readChart, readImageTime, readManifest } from './manifest.ts'
import type { RepositoryClient } from './registry.ts'
import type { VersionTag } from './tag-choice.ts'

type ChartTag = VersionTag & { chartName: string }

/** Without a time in the annotations, reads the image's configuration, with up to two more requests. */
export async function findApp(
  repository: RepositoryClient,
  { tag, version }: ChartTag,
  now: number,
): Promise<ReadResult<FoundRelease[]>> {
  const read = await readManifest(repository, tag)
  if (read.kind !== 'ok') return read
  const { manifest } = read.value
  let created = createdIn(manifest)
  if (created === undefined) {
    const time = await readImageTime(repository, manifest)
    if (time.kind !== 'ok') return time
    created = time.value
  }
  const release: FoundRelease = {
    type: version.prerelease.length > 0 ? 'pre' : 'app',
    chartName: '',
    version: tag,
    appVersion: null,
    ...timeOf(created, now),
    url: addressIn(manifest.annotations),
    notes: '',
    security: null,
  }
  return { kind: 'ok', value: [release] }
}

/** Undefined for a tag that is not a chart. */
export async function findChart(
  repository: RepositoryClient,
  { tag, version, chartName }: ChartTag,
  now: number,
): Promise<ReadResult<FoundRelease[]>> {
  const read = await readManifest(repository, tag)
  if (read.kind !== 'ok') return read
  const { manifest } = read.value
  const chart = await readChart(repository, manifest)
  if (chart.kind !== 'ok') return chart
  if (!chart.value) return { kind: 'ok', value: [] }
  const { appVersion, kubeVersion, deprecated, annotations } = chart.value
  const stated = readAnnotations({ ...manifest.annotations, ...annotations }, createYamlParser())
  const release: FoundRelease = {
    type: stated.isPrerelease || version.prerelease.length > 0 ? 'pre' : 'helm',
    chartName,
    version: chart.value.version || tag.replaceAll('_', '+'),
    appVersion: appVersion || null,
    ...(kubeVersion && { kubeVersion }),
    ...timeOf(createdIn(manifest), now),
    url: addressIn(manifest.annotations),
    notes: `${deprecated ? '<p>This chart is deprecated.</p>' : ''}${stated.notes}`,
    security: stated.security,
    ...(deprecated && { isDeprecated: true }),
  }
  return { kind: 'ok', value: [release] }
}

function timeOf(created: number | undefined, now: number): Pick<FoundRelease, 'publishedAt' | 'isRough'> {
  return created === undefined ? { publishedAt: now, isRough: true } : { publishedAt: created }
}

function addressIn(annotations: Record<string, unknown> | undefined) {
  const addresses = ['url', 'source'].map((name) => annotations?.[`org.opencontainers.image.${name}`])
  return addresses.find((text): text is string => typeof text === 'string' && isWebAddress(text)) ?? ''
}
