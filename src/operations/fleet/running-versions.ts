import type { ArtifactState, Step } from '../../contract/step.ts'
import { type AssessedItem, stepFor } from '../../freshness/index.ts'
import type { RunningPart } from '../../store/fleet/summary.ts'
import { remember } from '../../util/remember.ts'
import { compare } from '../findings/candidates.ts'
import type { Vault } from '../keys/vault.ts'

/** Running versions of a project, or of an image or chart that is not in the catalog. */
export interface RunningProject {
  /** Null if not in the catalog; `name` is then the image without its tag, or the chart. */
  projectId: number | null
  name: string
  artifacts: RunningArtifact[]
}

export interface RunningArtifact {
  type: AssessedItem['type']
  name: string
  /** Null if the tag does not state a version. */
  version: string | null
  status: AssessedItem['verdict']['status']
  releasesBehind: number | null
  daysBehind: number | null
  states: ArtifactState[]
  /** The recommended step. */
  step: Pick<Step, 'version' | 'via'> | null
  /** Number of places where it runs. */
  count: number
  /** For Kubernetes: the managed offering. */
  offering?: string | undefined
}

/**
 * Serializes known projects, one per line with the project id first, so that one can be found without parsing the rest. A
 * few kilobytes per cluster.
 */
export function writeRunning(projects: RunningProject[]) {
  const lines = projects.map(({ projectId, name, artifacts }) =>
    JSON.stringify([
      projectId,
      name,
      artifacts.map(({ type, name, version, ...one }) => [
        type,
        name,
        version,
        one.status,
        one.releasesBehind,
        one.daysBehind,
        one.count,
        one.states,
        one.step && [...one.step.via, one.step.version],
        ...(one.offering === undefined ? [] : [one.offering]),
      ]),
    ]),
  )
  return Buffer.from(`\n${lines.map((line) => `${line}\n`).join('')}`)
}

/** One of the cluster's serialized lists: known projects, unknown ones, and figures. */
export const openRunning = (vault: Vault, { runId, keyId, sealed }: RunningPart, part: 0 | 1 | 2) =>
  vault.open(runId, { kind: 'running', part, keyId, sealed })

export function readRunning(text: Buffer): RunningProject[] {
  return text.toString('utf8').split('\n').filter(Boolean).map(readLine)
}

/** Finds a project in the serialized list. */
export function findRunning(text: Buffer, projectId: number): RunningProject | undefined {
  const start = text.indexOf(`\n[${projectId},`)
  if (start < 0) return undefined
  return readLine(text.toString('utf8', start + 1, text.indexOf('\n', start + 1)))
}

type Line = [
  id: number | null,
  name: string,
  artifacts: [
    RunningArtifact['type'],
    string,
    string | null,
    RunningArtifact['status'],
    number | null,
    number | null,
    number,
    ArtifactState[],
    string[] | null,
    offering?: string,
  ][],
]

function readLine(line: string): RunningProject {
  const [projectId, name, artifacts] = JSON.parse(line) as Line
  return {
    projectId,
    name,
    artifacts: artifacts.map(
      ([type, name, version, status, releasesBehind, daysBehind, count, states, way, offering]) => ({
        type,
        name,
        version,
        status,
        releasesBehind,
        daysBehind,
        count,
        states,
        step: way && { version: way.at(-1)!, via: way.slice(0, -1) },
        ...(offering !== undefined && { offering }),
      }),
    ),
  }
}

/** Groups artifacts by project, sorted by name. */
export function runningOf(assessed: AssessedItem[]) {
  const projects = new Map<string, RunningProject>()
  for (const one of assessed) {
    const { project } = one.match
    const name = project?.name ?? artifactName(one)
    const key = project ? `#${project.id}` : `${one.type} ${name}`
    const found = remember(projects, key, () => ({ projectId: project?.id ?? null, name, artifacts: [] }))
    addArtifact(found.artifacts, one)
  }
  const all = [...projects.values()].sort((a, b) => compare(a.name, b.name))
  return {
    known: all.filter(({ projectId }) => projectId !== null),
    unknown: all.filter(({ projectId }) => projectId === null),
  }
}

function addArtifact(artifacts: RunningArtifact[], one: AssessedItem) {
  const name = artifactName(one)
  const { type, currentVersion: version, verdict, places, offering } = one
  const same = artifacts.find((other) => other.type === type && other.name === name && other.version === version)
  if (same) {
    same.count += places.length
    return
  }
  const { status, releasesBehind, daysBehind } = verdict
  const states = [...new Set(one.states.reasons.map(({ state }) => state))]
  const step = stepFor(one)
  const count = places.length
  artifacts.push({ type, name, version, status, releasesBehind, daysBehind, states, step, count, offering })
}

/** The key without its tag, digest or version: `quay.io/argoproj/argocd`, `argo-cd`. */
export function artifactName({ type, key }: AssessedItem) {
  const plain = key.split('@')[0]!
  return type === 'image' ? plain.replace(/:[^/:]*$/, '') : plain
}
