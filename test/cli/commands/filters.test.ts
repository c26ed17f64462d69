import { beforeAll, expect, test } from 'vitest'
import { runCli } from '../../helpers/cli.ts'
import { folderOfFile } from '../../helpers/output.ts'
import { makeSmallStore } from '../../helpers/small-store.ts'

const home = folderOfFile()
const run = (line: string) => runCli(line.split(' '), { home, env: { NO_COLOR: '1' } })

beforeAll(async () => {
  await makeSmallStore(home)
  await run('subs add argo-cd nginx')
  await run('labels create edge')
  await run('labels attach edge nginx')
  const body = JSON.stringify({ product_id: 5, type: 'app', version: '2.0.2', has_security_fix: true })
  await runCli(['api', 'POST', '/add-release', '--input', '-'], { home, stdin: body })
})

test('subs list --label', async () => {
  expect((await run('subs list --label EDGE -o csv --columns project --no-headers')).stdout).toBe('NGINX\n')
  expect(JSON.parse((await run('subs list --label edge --json')).stdout)).toMatchObject({ subscription_count: 1 })
  expect((await run('subs list --label nix')).stderr).toContain('No subscription has the label nix.')
})

test('feed --label and --security say how much they leave out', async () => {
  const all = await run('feed --days 30 -o csv --columns project --no-headers')
  expect(all.stdout).toContain('Argo CD')
  const edge = await run('feed --days 30 --label edge -o csv --columns project --no-headers')
  expect(edge.stdout).toMatch(/^(NGINX\n)+$/)
  expect(edge.stderr).toMatch(/\d other releases? left out\./)
  const fixes = await run('feed --days 30 --security -o csv --columns project,version --no-headers')
  expect(fixes.stdout).toBe('NGINX,2.0.2\n')
  expect(await run('feed --label nix')).toMatchObject({ code: 3 })
})

test('freshness --namespace and --ended', async () => {
  const artifacts = async (line: string) =>
    (await run(`reports freshness ${line} -o csv --columns artifact --no-headers`)).stdout.split('\n').filter(Boolean)
  expect(await artifacts('--namespace argocd')).toEqual(['argo-cd 9.1.0', 'quay.io/argoproj/argocd:v3.5.1'])
  expect(await artifacts('--ended')).toEqual(['nginx:1.27.3'])
  expect((await run('reports freshness --ended')).stdout).toContain('The end of support is not known for')
  expect((await run('reports freshness --namespace nix')).stderr).toContain('No artifact matches.')
})
