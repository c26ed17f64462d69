import type { FoundRelease } from '../../catalog/found-release.ts'
import { isWebAddress } from '../../contract/shape.ts'
import { chartRelease, publishedAt } from '../helm/chart-release.ts'
import { createYamlParser } from '../helm/yaml.ts'
import { createdIn, readChart, readImageTime, readManifest } from './manifest.ts'
import type { RepositoryClient } from './registry.ts'
import type { VersionTag } from './tag-choice.ts'

/** Undefined for a tag that is not one of the chart. `chartName` is empty for an image. Throws `RegistryFailure`. */
export async function findRelease(
  repository: RepositoryClient,
  { tag, version: { prerelease }, chartName }: VersionTag & { chartName: string },
  now: number,
): Promise<FoundRelease | undefined> {
  const { manifest } = await readManifest(repository, tag)
  const addresses = ['url', 'source'].map((name) => manifest.annotations?.[`org.opencontainers.image.${name}`])
  const url = addresses.find((text): text is string => typeof text === 'string' && isWebAddress(text)) ?? ''
  if (chartName === '')
    return {
      type: prerelease.length > 0 ? 'pre' : 'app',
      chartName,
      version: tag,
      appVersion: null,
      ...publishedAt(await readImageTime(repository, manifest), now),
      url,
      notes: '',
      security: null,
    }
  const chart = await readChart(repository, manifest)
  if (!chart) return undefined
  const version = chart.version ?? tag.replaceAll('_', '+')
  const annotations = { ...manifest.annotations, ...chart.annotations }
  const stated = { ...chart, version, annotations, created: createdIn(manifest) }
  return chartRelease(stated, { chartName, url, now, parse: createYamlParser() })
}
