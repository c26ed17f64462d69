import { gunzipSync } from 'node:zlib'
import { isObject, JsonReader } from '../util/json.ts'
import { type ChartLabel, word } from './helm-labels.ts'

export interface HelmRelease {
  name: string
  namespace: string
  chart: ChartLabel
}

/** A secret holds at most 1 MB; a release unpacks to some ten of it. */
const maxBytes = 32 * 1024 * 1024

/** A Helm release from its secret, without values and templates. Undefined for other objects. */
export function readRelease(secret: unknown): HelmRelease | undefined {
  if (!isObject(secret) || !isObject(secret.metadata) || !isObject(secret.data)) return undefined
  if (secret.type !== 'helm.sh/release.v1' || typeof secret.data.release !== 'string') return undefined
  const namespace = word(secret.metadata.namespace)
  try {
    const { name, chart } = readRecord(unpack(secret.data.release))
    return namespace !== undefined && name !== undefined && chart ? { name, namespace, chart } : undefined
  } catch {
    // An unreadable record is ignored; labels may still name the chart.
    return undefined
  }
}

/** Kubernetes writes a secret's data as base64, and Helm has done so before. */
function unpack(data: string): Buffer {
  const packed = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64')
  return gunzipSync(packed, { maxOutputLength: maxBytes })
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

function readChart(reader: JsonReader): ChartLabel | undefined {
  let metadata: unknown
  for (const key of reader.members()) {
    if (key === 'metadata') metadata = reader.value()
    else reader.skip()
  }
  const { name, version } = isObject(metadata) ? metadata : {}
  const [chartName, chartVersion] = [word(name), word(version)]
  return chartName !== undefined && chartVersion !== undefined ? { name: chartName, version: chartVersion } : undefined
}
