import type { JsonReader } from '../../../util/json.ts'
import { checkOfResource } from '../../place-check.ts'
import { string, strings } from '../../read.ts'
import type { Scan } from '../../scan.ts'
import { stableValue } from '../../stable-text.ts'
import { readCollection } from '../collection.ts'
import { ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { OtherKinds } from '../other-kinds.ts'
import { eachObject, notOf, object, objects, openObject, time } from '../values.ts'
import { readOperatorReport } from './operator.ts'
import { operatorKindOf } from './operator-kind.ts'
import { readResult, targetOf } from './result.ts'

type Values = Record<string, unknown>

/** Older versions keep vulnerabilities and misconfigurations of `trivy k8s` apart. */
const resourceKeys = new Set(['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'])

/**
 * The reports of Trivy: `trivy k8s --report all` has `Resources`, `--report summary` the same as `Findings`;
 * `trivy image` and `trivy fs` have `Results` of one artifact; Trivy's operator leaves its reports, single or in a list (`items`).
 */
export function readTrivy(bytes: Uint8Array): Scan {
  const reader = openObject(bytes)
  const collector = new ScanCollector('trivy')
  const head: Values = {}
  let results: JsonReader | undefined
  let found = false
  for (const key of reader.members()) {
    if (resourceKeys.has(key)) {
      found = true
      for (const resource of eachObject(reader, key)) readResource(resource, collector)
    } else if (key === 'items') found = readItems(reader, collector)
    else if (key === 'Results') results = reader.later()
    else head[key] = reader.value()
  }
  reader.end()
  if (operatorKindOf(head)) {
    readOperatorReport(head, collector)
    found = true
  } else if (string(head.ArtifactName) !== undefined || results) {
    readArtifact(head, results, collector)
    found = true
  }
  if (!found && head.ClusterName === undefined)
    throw notOf('trivy', 'ClusterName, ArtifactName or items of its operator')
  const { generatedAt = time(head.CreatedAt), ...coverage } = readCollection(head.collection, collector)
  return collector.finish({ clusterName: string(head.ClusterName), generatedAt, ...coverage })
}

/** Results of a workload. In newer versions, `Metadata` is a list with an element per image. */
function readResource(resource: Values, collector: ScanCollector): void {
  const kind = string(resource.Kind)
  const name = string(resource.Name)
  const place = {
    namespace: string(resource.Namespace) ?? null,
    resource: kind && name ? `${kind.toLowerCase()}/${name}` : null,
  }
  const error = string(resource.Error)
  if (error) collector.notRun(checkOfResource(place, 'Scan'), error)
  else collector.lookedAt()
  const metadata = Array.isArray(resource.Metadata) ? objects(resource.Metadata) : [object(resource.Metadata)]
  const images = metadata.flatMap(({ RepoTags, RepoDigests }) => strings(RepoTags)[0] ?? strings(RepoDigests)[0] ?? [])
  for (const image of images) collector.image(image, place)
  const subject = { place, duplicates: new DuplicateCounter(), collector }
  // The image of the results that follow, which do not name it.
  let image = images.length === 1 ? images[0] : undefined
  for (const result of objects(resource.Results)) {
    // The packages of a system are those of an image; older versions name it nowhere else.
    if (result.Class === 'os-pkgs') {
      const named = targetOf(result)
      collector.image(named, place)
      if (images.length !== 1) image = named
    }
    readResult(result, { ...subject, image })
  }
}

function readArtifact(head: Values, results: JsonReader | undefined, collector: ScanCollector): void {
  const name = string(head.ArtifactName) ?? null
  const image = head.ArtifactType === 'container_image' ? name : null
  if (image) collector.image(image, { namespace: null, resource: null })
  if (!results) return
  const duplicates = new DuplicateCounter()
  for (const result of eachObject(results, 'Results')) {
    const resource = image ? `image/${stableValue(image)}` : (string(result.Target) ?? name)
    readResult(result, {
      place: { namespace: null, resource },
      duplicates,
      collector,
      ...(image !== null && { image }),
    })
  }
  results.end()
}

/** False when nothing in the list is a report of the operator. */
function readItems(reader: JsonReader, collector: ScanCollector): boolean {
  let found = false
  const others = new OtherKinds()
  for (const item of eachObject(reader, 'items')) {
    if (operatorKindOf(item)) {
      readOperatorReport(item, collector)
      found = true
    } else others.add(item)
  }
  others.warn(collector)
  return found
}
