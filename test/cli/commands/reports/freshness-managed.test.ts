import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, withoutColors } from '../../../helpers/output.ts'
import { scan } from '../../../reports/scan.ts'

const home = folderOfFile()

const image = (fullRef: string, namespace = 'kube-system') => {
  return { fullRef, namespace, workloadKind: 'Deployment', workloadName: 'w' }
}

beforeAll(async () => {
  const images = [
    image('mcr.microsoft.com/containernetworking/azure-cns:v1.8.12'),
    image('mcr.microsoft.com/oss/v2/kubernetes/coredns:v1.9.4-6'),
    image('mcr.microsoft.com/oss/v2/kubernetes-csi/azurefile-csi:v1.34.0'),
    image('registry.shop.example/cart:2026.8.0', 'shop'),
  ]
  const report = { ...scan([{ check: 'SEC001' }], { cluster: 'aks-one' }), artifacts: { images } }
  const file = join(home, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  const { code, stderr } = await runCli(['reports', 'upload', file], { home })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '✓ Stored\n' })
})

/** Without `columns` as in a pipe, where no cell is wrapped. */
const shown = async (columns?: number, ...more: string[]) => {
  const { stdout } = await runCli(['reports', 'freshness', ...more], { home, ...(columns && { columns }) })
  return withoutColors(stdout)
}

test('a component of an offering has a word and a count of its own', async () => {
  const lines = (await shown()).split('\n')
  expect(lines[0]).toMatch(/, 1 unknown, 1 managed, 2 vulnerable$/)
  expect(lines.find((line) => line.includes('azure-cns'))).toMatch(/^managed .* part of AKS\b/)
  expect(lines.find((line) => line.includes('coredns'))).toMatch(/^minor .* AKS: /)
  expect(lines.find((line) => line.includes('azurefile-csi'))).toMatch(/^minor .* AKS: /)
  expect(lines.find((line) => line.includes('cart'))).toMatch(/^unknown +\S+ +2026\.8\.0 +\? /)
  expect(lines).toContain("AKS runs 3 artifacts, which come with the cluster's upgrade.")
  expect(lines.find((line) => line.includes(' known'))).toMatch(/^2 of 4 images known, 1 managed;/)
})

test('--explain gives the advice', async () => {
  const text = await shown(120, '--explain')
  expect(text).toMatch(/^managed .*azure-cns/m)
  expect(text).toContain("→ A component of AKS itself: it comes with the cluster's upgrade.")
  expect(text).toContain("→ AKS runs it: it comes with the cluster's upgrade; the newest version of the project is")
})

test('--status keeps managed and unknown apart', async () => {
  const keys = async (status: string) => {
    const { stdout } = await runCli(['reports', 'freshness', '--status', status, '--json'], { home })
    return JSON.parse(stdout).items.map((item: { display_name: string }) => item.display_name.replace(/^.*\//, ''))
  }
  expect(await keys('managed')).toEqual(['azure-cns:v1.8.12'])
  expect(await keys('unknown')).toEqual(['cart:2026.8.0'])
})
