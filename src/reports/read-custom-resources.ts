import { isObject } from '../util/json.ts'
import type { DefinedResource } from './artifact.ts'
import { short } from './text.ts'

const most = 5000
const mostVersions = 100

/** Reads CustomResourceDefinitions from an inventory. */
export function readCustomResources({ customResources }: Record<string, unknown>): DefinedResource[] | undefined {
  return Array.isArray(customResources) ? customResources.filter(isObject).slice(0, most).flatMap(readOne) : undefined
}

function readOne(row: Record<string, unknown>): DefinedResource[] {
  const [name, group, kind] = [short(row.name), short(row.group), short(row.kind)]
  if (!name || !group || !kind) return []
  const [chart, chartVersion] = [short(row.chartName), short(row.chartVersion)]
  const [controller, controllerVersion] = [short(row.controller), short(row.controllerVersion)]
  const release = short(row.releaseName)
  const stored = Array.isArray(row.stored) ? row.stored.flatMap((version) => short(version) ?? []) : []
  return [
    {
      name,
      group,
      kind,
      versions: readVersions(row.versions),
      stored: stored.slice(0, mostVersions),
      version: short(row.version) ?? null,
      versionFrom: short(row.versionFrom) ?? null,
      chart: chart && chartVersion ? { name: chart, version: chartVersion } : null,
      release: release ? { name: release, namespace: short(row.releaseNamespace) ?? null } : null,
      appliedBy: short(row.appliedBy) ?? null,
      controller: controller && controllerVersion ? { name: controller, version: controllerVersion } : null,
    },
  ]
}

function readVersions(versions: unknown): DefinedResource['versions'] {
  const rows = Array.isArray(versions) ? versions.filter(isObject) : []
  return rows.slice(0, mostVersions).flatMap(({ name, served, storage, deprecated }) => {
    const called = short(name)
    const flags = { served: served === true, storage: storage === true, deprecated: deprecated === true }
    return called ? [{ name: called, ...flags }] : []
  })
}
