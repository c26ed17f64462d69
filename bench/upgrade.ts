import { readFileSync } from 'node:fs'
import { createLocalClient } from '../src/client/local.ts'
import { type Figure, inFolder, node, relt, runInTurn, usageOf, usageOfBareNode } from './measure.ts'

const clusters = 1000
/** Of different projects with a published range; each cluster runs one of some versions of each. */
const partsEach = 60
const versionsEach = 3

/** The plan of a fleet, and that of 60 parts without a cluster over three hops. */
export function upgrade(): Promise<Figure[]> {
  return inFolder(async (home) => {
    const parts = await fill(home)
    const env = { RELT_HOME: home }
    const fleet = ['upgrade', 'plan', '--all', '--to', '1.36', '--json']
    const check = ['upgrade', 'check', '--kubernetes', '1.33', '--to', '1.36', '--json', ...parts]
    const one = ['upgrade', 'plan', '--cluster', 'cluster-1', '--to', '1.36', '--json']
    const [base, ofFleet, ofCheck, ofOne] = runInTurn(
      [[node, '-e', '0'], ...[fleet, check, one].map((args) => relt(...args))].map((argv) => ({ argv, env })),
      5,
    )
    const figure = (name: string, ours: number): Figure => ({ name, ours, base: base!, unit: 'ms' })
    const peakMb = usageOf(fleet, env).peakMb
    return [
      figure('upgrade plan, 1,000 clusters × 60 parts / node -e 0', ofFleet!),
      { name: 'its peak memory / node -e 0', ours: peakMb, base: usageOfBareNode().peakMb, unit: 'MB' },
      figure('upgrade check, 60 parts, three hops / node -e 0', ofCheck!),
      figure('upgrade plan of one of the clusters / node -e 0', ofOne!),
    ]
  })
}

interface Listed {
  slug: string
  image_repositories: string[]
}

/** Returns the parts of one cluster. */
async function fill(home: string): Promise<string[]> {
  const now = Math.floor(Date.now() / 1000)
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => now })
  const { bundledUpgradeFacts } = await import('../src/catalog/upgrade-facts.ts')
  const bySlug = Map.groupBy(bundledUpgradeFacts().compatibility, ({ slug }) => slug)
  const projects: Listed[] = JSON.parse(
    readFileSync(new URL('../src/catalog/data/projects.json', import.meta.url), 'utf8'),
  )
  const chosen = projects
    .filter(({ slug, image_repositories }) => bySlug.has(slug) && image_repositories.length > 0)
    .slice(0, partsEach)
    .map(({ slug, image_repositories }) => ({
      slug,
      repository: image_repositories[0]!,
      lines: [...new Set(bySlug.get(slug)!.map(({ line }) => line))].slice(-1 - versionsEach, -1),
    }))
  for (let index = 0; index < clusters; index++) {
    const images = chosen.map(({ slug, repository, lines }) => ({
      fullRef: `${repository}:${lines[index % lines.length] ?? '1.0'}.1`,
      ...{ namespace: slug, workloadKind: 'Deployment', workloadName: slug },
    }))
    const name = `cluster-${index}`
    const report = { metadata: { clusterName: name, kubernetesVersion: 'v1.33.4' }, checks: {}, artifacts: { images } }
    const environment = index % 4 === 0 ? 'staging' : 'prod'
    const body = { cluster: { name }, environment }
    await client.call('uploadReport', { body, report: Buffer.from(JSON.stringify(report)) })
  }
  await client.close()
  return chosen.map(({ slug, lines }) => `${slug}@${lines[0] ?? '1.0'}.1`)
}
