import type { JsonReader } from '../../../util/json.ts'
import { folderSubject, imageSubject } from '../../ledger.ts'
import { notUnderstood, shown } from '../../not-run-text.ts'
import { checkOfResource } from '../../place-check.ts'
import { stableValue } from '../../stable-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string, strings } from '../../text.ts'
import { checkListEnd, readCollection } from '../collection.ts'
import { type Place, ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { readItems } from '../other-kinds.ts'
import { eachObject, notOf, object, objects, openObjects, time, toResource, toRows, type Values } from '../values.ts'
import { readOperatorReport } from './operator.ts'
import { toOperatorKind } from './operator-kind.ts'
import { readResult, toTarget } from './result.ts'
import { outOfSupport, systemCheck } from './system.ts'

/** Older versions list vulnerabilities and misconfigurations of `trivy k8s` separately. */
const resourceKeys = new Set(['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'])

/**
 * Reports of Trivy: `trivy k8s --report all` has `Resources`, `--report summary` the same as `Findings`; `trivy image` and
 * `trivy fs` have `Results` of one artifact; Trivy's operator writes reports, single or in a list (`items`).
 */
export function readTrivy(bytes: Uint8Array) {
  const { reader, members } = openObjects(bytes)
  const collector = new ScanCollector('trivy')
  const head: Values = {}
  let results: JsonReader | undefined
  let items: JsonReader | undefined
  let found = false
  for (const key of members) {
    if (resourceKeys.has(key)) {
      found = true
      for (const resource of eachObject(reader, key)) readResource(resource, collector)
    } else if (key === 'items') items = reader.later()
    else if (key === 'Results') results = reader.later()
    else head[key] = reader.value()
  }
  reader.end()
  found = readItems(items, head, collector, operatorReports) || found
  collector.gap('Report', strangeMember(head, rootShape))
  if (found) checkListEnd(head.metadata, collector)
  if (toOperatorKind(head)) {
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

const operatorReports = { isReport: toOperatorKind, read: readOperatorReport }

/** Results of a workload. In newer versions, `Metadata` is a list with an element per image. */
function readResource(resource: Values, collector: ScanCollector) {
  const kind = string(resource.Kind)
  const name = string(resource.Name)
  const place = { namespace: string(resource.Namespace) ?? null, resource: toResource(kind, name) }
  const { Error: error } = resource
  collector.inNamespace(place.namespace)
  if (error == null || error === '') collector.lookedAt()
  else collector.notRun(checkOfResource(place, 'Scan'), string(error) ?? notUnderstood(`its Error is ${shown(error)}`))
  if (kind === undefined && name === undefined) collector.gap('Resources', 'a resource has no kind and no name')
  const strange = strangeMember(resource, resourceShape)
  if (strange !== undefined) collector.notUnderstood(checkOfResource(place, 'Scan'), strange)
  const metadata = Array.isArray(resource.Metadata) ? objects(resource.Metadata) : [object(resource.Metadata)]
  const images = metadata.flatMap(({ RepoTags, RepoDigests }) => strings(RepoTags)[0] ?? strings(RepoDigests)[0] ?? [])
  for (const image of images) collector.image(image, place)
  for (const each of metadata) readSystem(each, place, collector)
  const subject = { place, duplicates: new DuplicateCounter(), collector }
  // The image of the following results, which do not name it.
  let image = images.length === 1 ? images[0] : undefined
  for (const result of toRows(resource.Results, 'Resources.Results')) {
    // Packages of an operating system belong to an image; older versions name the image nowhere else.
    if (result.Class === 'os-pkgs') {
      const named = toTarget(result)
      collector.image(named, place)
      if (images.length !== 1) image = named
    }
    readResult(result, { ...subject, image })
  }
}

const rows = 'Target Class Type Vulnerabilities Misconfigurations VulnerabilityID RuleID PkgName Severity Title'

const resourceShape = shapeFor({ known: 'Namespace Kind Name Metadata Results Error', rows })

const metadataShape = shapeFor({
  known: 'Size OS ImageID DiffIDs RepoTags RepoDigests Reference RepoURL Branch Tags Commit CommitMsg Author Committer',
  unread: 'ImageConfig Layers',
  rows,
})

const systemShape = shapeFor({ known: 'Family Name EOSL Extended extended' })

/** Members of all report formats. A list of operator reports also has the members of a Kubernetes object. */
const rootShape = shapeFor({
  known:
    'SchemaVersion Trivy ReportID CreatedAt ArtifactID ArtifactName ArtifactType Metadata Results ClusterName ' +
    'Resources Findings Vulnerabilities Misconfigurations apiVersion kind items report collection name',
  unread: 'metadata BOM',
  rows,
})

function readSystem(metadata: Values, place: Place, collector: ScanCollector) {
  const { OS, RepoTags } = metadata
  collector.gap('Metadata', strangeMember(metadata, metadataShape) ?? strangeMember(object(OS), systemShape))
  const { Family, Name, EOSL } = object(OS)
  const system = outOfSupport({ family: Family, name: Name, eosl: EOSL })
  if (!system) return
  const image = strings(RepoTags)[0] ?? null
  const identity = `${system.family}\n${image === null ? '' : stableValue(image)}`
  collector.finding(systemCheck, 'high', { ...place, message: system.message, value: image, identity })
}

/** An archive of an image, whose path says nothing about the image. */
const isFile = /^(?:\.{0,2}\/|[A-Za-z]:\\)|\.(?:tar|tgz|tar\.gz)$/

function readArtifact(head: Values, results: JsonReader | undefined, collector: ScanCollector) {
  const { ImageConfig, ImageID, RepoTags, RepoDigests } = object(head.Metadata)
  const name = string(head.ArtifactName) ?? null
  const image =
    head.ArtifactType === 'container_image' ? (isFile.test(name ?? '') ? (strings(RepoTags)[0] ?? name) : name) : null
  const { os, architecture, variant } = object(ImageConfig)
  const family = string(object(object(head.Metadata).OS).Family)
  const platform = [[os, architecture, variant].flatMap((part) => string(part) ?? []).join('/'), family]
    .filter(Boolean)
    .join(' ')
  const id = string(ImageID)
  const others = [...(id ? [`@${id}`] : []), ...strings(RepoTags), ...strings(RepoDigests)]
  if (image) collector.subject(imageSubject(image, { platform, others }))
  else collector.subject(folderSubject(name ?? '.'))
  if (image) collector.image(image, { namespace: null, resource: null })
  const resource = image ? `image/${stableValue(image)}` : name
  readSystem(object(head.Metadata), { namespace: null, resource }, collector)
  const listed = results ? readResults(results, { name, image, resource }, collector) : 0
  if (listed === 0) checkWithoutResults(head, collector)
}

/** Trivy leaves out results in which nothing was found, but for the packages of an operating system. */
function checkWithoutResults({ ArtifactName, ArtifactType, Metadata }: Values, collector: ScanCollector) {
  if (string(ArtifactName) && string(ArtifactType)) collector.lookedAt()
  const system = string(object(object(Metadata).OS).Family)
  if (system !== undefined && system !== 'none')
    collector.gap(`Packages of ${system}`, 'the report has no results about them', 'Vulnerability')
}

/** Returns the number of results. */
function readResults(
  results: JsonReader,
  { name, image, resource }: { name: string | null; image: string | null; resource: string | null },
  collector: ScanCollector,
) {
  const duplicates = new DuplicateCounter()
  let listed = 0
  for (const result of eachObject(results, 'Results')) {
    listed++
    const place = { namespace: null, resource: image ? resource : (string(result.Target) ?? name) }
    readResult(result, {
      place,
      duplicates,
      collector,
      ...(image !== null && { image }),
    })
  }
  results.end()
  return listed
}
