import { randomBytes } from 'node:crypto'
import { createLocalClient } from '../src/client/local.ts'
import { type Figure, inFolder, node, relt, runInTurn } from './measure.ts'

const clusters = 100
const imagesEach = 500
const releases = 1000
const projects = 50

/** Which workloads a release or an advisory concerns, among 50,000 images. */
export function impact(): Promise<Figure[]> {
  return inFolder(async (home) => {
    const release = await fill(home)
    const env = { RELT_HOME: home }
    const questions = [['--release', release], ['CVE-2026-4242'], ['--new', '7d']] as const
    const commands = [
      relt('impact', '--json'),
      ...questions.map((question) => relt('impact', ...question, '--json')),
      relt('reports', 'freshness', '--cluster', 'cluster-0', '--json'),
    ]
    const [base, none, ...times] = runInTurn(
      [[node, '-e', '0'], ...commands].map((argv) => ({ argv, env })),
      5,
    )
    const figure = (name: string, ours: number): Figure => ({ name, ours, base: base!, unit: 'ms' })
    return [
      figure('impact, 100 clusters × 500 images / node -e 0', none!),
      ...questions.map(([question], index) => figure(`impact ${question}, the same / node -e 0`, times[index]!)),
      figure('freshness of 500 images / node -e 0', times.at(-1)!),
    ]
  })
}

/** Half of the images are of the projects, in many versions; the rest nobody knows. Returns the id of a release. */
async function fill(home: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => now })
  const { items } = await client.call('listProjects', { query: { per_page: 100 } })
  const chosen = items.slice(0, projects)
  let release = 0
  for (let index = 0; index < releases; index++) {
    const minor = Math.floor(index / projects)
    const body = {
      product_id: chosen[index % projects]!.id,
      type: 'app' as const,
      version: `9${minor}.${minor}.1`,
      ...(minor === 10 && { release_notes: 'Fixes CVE-2026-4242' }),
    }
    release = (await client.call('addRelease', { body })).release_id!
  }
  for (let cluster = 0; cluster < clusters; cluster++) {
    const images = Array.from({ length: imagesEach }, (_, index) => ({
      fullRef: toReference(index, cluster, chosen[index % projects]!.name),
      namespace: `team-${index % 20}`,
      workloadKind: 'Deployment',
      workloadName: `app-${index}`,
    }))
    const metadata = { clusterName: `cluster-${cluster}`, kubernetesVersion: 'v1.33.6' }
    const report = { metadata, checks: {}, artifacts: { images } }
    await client.call('uploadReport', { body: {}, report: Buffer.from(JSON.stringify(report)) })
  }
  await client.close()
  return String(release)
}

function toReference(index: number, cluster: number, name: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const version = `9${index % 9}.${cluster % 10}.${index % 7}`
  if (index % 2 === 0) return `registry.example/mirror/${slug}/${slug}:${version}`
  return `registry.example/team-${index}/service:${randomBytes(4).toString('hex')}`
}
