import { gunzipSync } from 'node:zlib'
import { isObject, JsonReader } from '../util/json.ts'
import { type ChartLabel, word } from './helm-labels.ts'

export interface HelmRelease {
  name: string
  namespace: string
  chart: ChartLabel
}

/** A secret holds at most 1 MB; a release decompresses to some ten times that. */
const maxBytes = 32 * 1024 * 1024

/**
 * Parses a Helm release from its record in a Secret or, with Helm's driver `configmap`, a ConfigMap; without values and
 * templates. Undefined for other objects.
 */
export function readRelease(record: unknown): HelmRelease | undefined {
  if (!isObject(record) || !isObject(record.metadata) || !isObject(record.data)) return undefined
  const { release } = record.data
  if (typeof release !== 'string') return undefined
  const isSecret = record.type === 'helm.sh/release.v1'
  if (!isSecret && !(isObject(record.metadata.labels) && record.metadata.labels.owner === 'helm')) return undefined
  const namespace = word(record.metadata.namespace)
  try {
    const { name, chart } = readRecord(unpack(isSecret ? Buffer.from(release, 'base64').toString('latin1') : release))
    return namespace !== undefined && name !== undefined && chart ? { name, namespace, chart } : undefined
  } catch {
    // Ignores an unreadable record; labels may still name the chart.
    return undefined
  }
}

/** Helm compresses a record and encodes it as base64; Kubernetes encodes a secret's data again. */
function unpack(data: string): Buffer {
  return gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: maxBytes })
}

function readRecord(bytes: Buffer) {
  const reader = new JsonReader(bytes, 'The release')
  let name: string | undefined
  let chart: ChartLabel | undefined
  for (const key of reader.members()) {
    if (key === 'name') name = word(reader.value())
    else if (key === 'chart' && reader.isObject()) chart = readChart(reader)
    else reader.skip()
  }
  return { name, chart }
}

function readChart(reader: JsonReader) {
  let metadata: unknown
  for (const key of reader.members()) {
    if (key === 'metadata') metadata = reader.value()
    else reader.skip()
  }
  const { name, version, appVersion } = isObject(metadata) ? metadata : {}
  const [chartName, chartVersion] = [word(name), word(version)]
  if (chartName === undefined || chartVersion === undefined) return undefined
  return { name: chartName, version: chartVersion, appVersion: word(appVersion) }
}
