import type { ArtifactState, Step } from '../../contract/step.ts'
import { type AssessedItem, stepFor } from '../../freshness/index.ts'

/** Running versions of one project, or of an image or a chart that the catalog does not know. */
export interface RunningProject {
  /** Null: unknown to the catalog; `name` is then the image without its tag, or the chart. */
  projectId: number | null
  name: string
  artifacts: RunningArtifact[]
}

export interface RunningArtifact {
  type: AssessedItem['type']
  name: string
  /** Null: the tag does not state one. */
  version: string | null
  status: AssessedItem['verdict']['status']
  releasesBehind: number | null
  daysBehind: number | null
  states: ArtifactState[]
  /** The step to take. */
  step: Pick<Step, 'version' | 'via'> | null
  /** In how many places it runs. */
  count: number
  /** Of Kubernetes: the offering that runs it. */
  offering?: string | undefined
}

/**
 * Known projects, a line each that begins with the id of the project, so that one is found without reading the others.
 * A summary of a cluster is a few kilobytes.
 */
export function writeRunning(projects: RunningProject[]): Buffer {
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

export function readRunning(text: Buffer): RunningProject[] {
  return text.toString('utf8').split('\n').filter(Boolean).map(readLine)
}

/** One project of the known ones. */
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
        ...{ type, name, version, status, releasesBehind, daysBehind, count, states },
        step: way && { version: way.at(-1)!, via: way.slice(0, -1) },
        ...(offering !== undefined && { offering }),
      }),
    ),
  }
}

/** By project, in the order of their names. */
export function runningOf(assessed: AssessedItem[]): { known: RunningProject[]; unknown: RunningProject[] } {
  const projects = new Map<string, RunningProject>()
  for (const one of assessed) {
    const { project } = one.match
    const name = project?.name ?? artifactName(one)
    const key = project ? `#${project.id}` : `${one.type} ${name}`
    const found = projects.get(key) ?? { projectId: project?.id ?? null, name, artifacts: [] }
    projects.set(key, found)
    addArtifact(found.artifacts, one)
  }
  const all = [...projects.values()].sort((a, b) => compareText(a.name, b.name))
  return {
    known: all.filter(({ projectId }) => projectId !== null),
    unknown: all.filter(({ projectId }) => projectId === null),
  }
}

function addArtifact(artifacts: RunningArtifact[], one: AssessedItem): void {
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

/** `quay.io/argoproj/argocd` of `quay.io/argoproj/argocd:v3.5.1`, `argo-cd` of `argo-cd@9.1.0`. */
export function artifactName({ type, key }: AssessedItem): string {
  const plain = key.split('@')[0]!
  return type === 'image' ? plain.replace(/:[^/:]*$/, '') : plain
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
