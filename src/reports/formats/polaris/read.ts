import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { string } from '../../read.ts'
import type { Scan } from '../../scan.ts'
import { type Place, ScanCollector } from '../collector.ts'
import { eachObject, entries, notOf, number, object, objects, openObject, time } from '../values.ts'

/** Checks that are configured as `ignore` are not made. */
const severities = new Map<string, FindingSeverity>([
  ['danger', 'high'],
  ['error', 'high'],
  ['warning', 'medium'],
])

type Values = Record<string, unknown>

/** `polaris audit --format json` of output version 1.0: one result per workload, with those of its pod and containers. */
export function readPolaris(bytes: Uint8Array): Scan {
  const results = new Results()
  const reader = openObject(bytes)
  const head: Values = {}
  let found = false
  for (const key of reader.members()) {
    if (key !== 'Results') head[key] = reader.value()
    else {
      found = true
      for (const result of eachObject(reader, 'Results')) results.add(result)
    }
  }
  reader.end()
  if (!found) throw notOf('polaris', 'Results')
  return results.collector.finish({
    clusterName: head.SourceType === 'Cluster' ? (string(head.DisplayName) ?? string(head.SourceName)) : undefined,
    generatedAt: time(head.AuditTime),
    kubernetesVersion: string(object(head.ClusterInfo).Version),
    score: number(head.Score),
    listsPassed: results.anyPassed,
  })
}

class Results {
  readonly collector = new ScanCollector('polaris')
  /** Unless only what failed was asked for. */
  anyPassed = false

  add(result: Values): void {
    this.collector.lookedAt()
    const name = string(result.Name)
    const kind = string(result.Kind)
    const place = {
      namespace: string(result.Namespace) ?? null,
      resource: name && kind ? `${kind.toLowerCase()}/${name}` : null,
    }
    this.#addSet(result.Results, place, 'workload')
    const pod = object(result.PodResult)
    this.#addSet(pod.Results, place, 'pod')
    for (const container of objects(pod.ContainerResults)) {
      this.#addSet(container.Results, place, 'container', string(container.Name))
    }
  }

  #addSet(set: unknown, place: Place, level: string, container?: string): void {
    for (const [key, result] of entries(set)) {
      const id = string(result.ID) ?? key
      const severity = severities.get(string(result.Severity)?.toLowerCase() ?? '')
      if (!severity) continue
      const check = { id, name: id, category: string(result.Category) ?? '' }
      if (result.Success === true) {
        this.anyPassed = true
        this.collector.check(check)
      } else if (result.Success === false) {
        const message = describe(result) ?? id
        // A check gives one result for a container, a pod or a workload, whatever its sentence.
        const identity = `${level}\n${container ?? ''}`
        this.collector.finding(check, severity, { ...place, message, value: container ?? null, identity })
      }
    }
  }
}

function describe({ Message, Details }: Values): string | undefined {
  const details = Array.isArray(Details) ? Details.flatMap((detail) => string(detail) ?? []) : []
  return [string(Message), ...details].filter((part) => part !== undefined).join(': ') || undefined
}
