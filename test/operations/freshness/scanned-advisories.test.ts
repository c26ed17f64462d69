import { afterAll, expect, test } from 'vitest'
import { openService } from '../service.ts'

let close = async () => {}
afterAll(() => close())
// Each test has its own cluster.
const service = await openService(':memory:', (closing) => {
  close = closing
})

const images = [
  { fullRef: 'prom/prometheus:v2.40.0', namespace: 'mon', workloadKind: 'StatefulSet', workloadName: 'prometheus' },
  { fullRef: 'grafana/grafana:11', namespace: 'mon', workloadKind: 'Deployment', workloadName: 'grafana' },
]
let clusters = 0

const found = (id: string) => ({ VulnerabilityID: id, PkgName: 'p', InstalledVersion: '1', Severity: 'HIGH' })

/** Trivy names an advisory by one of its ids. */
function trivyReport(image: string, ids: string[]) {
  const results = [{ Target: 'bin/prometheus', Class: 'lang-pkgs', Vulnerabilities: ids.map(found) }]
  const about = { Namespace: 'mon', Kind: 'StatefulSet', Name: 'prometheus', Metadata: [{ RepoTags: [image] }] }
  return { ClusterName: 'any', Resources: [{ ...about, Results: results }] }
}

async function openCluster() {
  clusters++
  const name = `prod-${clusters}`
  const body = { cluster: { name, environment: 'prod' } }
  const { run_id } = await service.upload([], { body: { ...body, artifacts: { images } } })
  const toItem = async (image: string, explain = false) => {
    const query = { explain }
    const { items } = await service.call('reportFreshness', { params: { run_id }, query })
    return items.find(({ display_name }) => display_name === image)!
  }
  const scan = async (image: string, ids: string[], at = body) =>
    (await service.upload([], { body: at, report: trivyReport(image, ids) })).run_id
  return { toItem, scan }
}

test('an advisory that Trivy lists about the same image is one, and says who saw it', async () => {
  const { scan, toItem } = await openCluster()
  const before = await toItem('prom/prometheus:v2.40.0')
  expect(before.scanned).toBeUndefined()
  const [first, second] = before.advisories
  const alias = second!.aliases.find((id) => id.startsWith('GHSA-')) ?? second!.id
  const run_id = await scan('docker.io/prom/prometheus:v2.40.0', [first!.id, alias, 'CVE-2020-0001'])
  const item = await toItem('prom/prometheus:v2.40.0')
  expect(item.advisories_count).toBe(before.advisories_count)
  expect(item.advisories.map(({ id, seen_by }) => [id, seen_by])).toEqual(
    before.advisories.map(({ id }, index) => [id, index < 2 ? ['catalog', 'trivy'] : ['catalog']]),
  )
  expect(item.scanned).toMatchObject({ scanner: 'trivy', run_id, advisories: 3, shared: 2 })
  expect((await toItem('grafana/grafana:11')).scanned).toBeUndefined()
})

test('another tag of the image, and another cluster, say nothing about it', async () => {
  const { scan, toItem } = await openCluster()
  await scan('prom/prometheus:v2.41.0', ['CVE-2026-42151'])
  await scan('prom/prometheus:v2.40.0', ['CVE-2026-42151'], { cluster: { name: 'other', environment: 'prod' } })
  expect((await toItem('prom/prometheus:v2.40.0')).scanned).toBeUndefined()
})

test('an undecided advisory says that Trivy saw it', async () => {
  const { scan, toItem } = await openCluster()
  const [undecided] = await undecidedOf(toItem)
  await scan('grafana/grafana:11', [undecided!.id])
  expect(await undecidedOf(toItem)).toContainEqual({ ...undecided, seen_by: ['trivy'] })
})

async function undecidedOf(toItem: Awaited<ReturnType<typeof openCluster>>['toItem']) {
  return (await toItem('grafana/grafana:11', true)).undecided_advisories ?? []
}
