import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateReport } from './generate-report.ts'
import { type Figure, inFolder, median, node, runOnce } from './measure.ts'
import { binary } from './startup.ts'

const findings = 107
const pods = 5000
const runs = 9

/** A scan against its scanner alone, and an inventory against parsing what kubectl printed for it. */
export function scan(): Promise<Figure[]> {
  return inFolder((folder) => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const report = join(folder, 'report.json')
    writeProgram(join(bin, 'kubebuddy'), scanner)
    writeProgram(join(bin, 'kubectl'), kubectl)
    writeLists(folder)
    const env = { PATH: `${bin}:${process.env.PATH}`, RELT_HOME: folder, FIXTURE: folder }
    const [started, alone, whole, bare, ours] = Array.from({ length: 5 }, (): number[] => []) as [
      number[],
      number[],
      number[],
      number[],
      number[],
    ]
    for (let run = 0; run < runs; run++) {
      // The same report is not stored twice.
      writeFileSync(report, JSON.stringify(generateReport({ findings, seed: run + 1 })))
      started.push(runOnce({ argv: [node, '-e', '0'] }).ms)
      alone.push(runOnce({ argv: [join(bin, 'kubebuddy'), `--output-path=${folder}`], env }).ms)
      whole.push(runOnce({ argv: [binary(), '--local', 'scan', 'run', '--no-inventory'], env }).ms)
      bare.push(inProcess('bare', env))
      ours.push(inProcess('ours', env))
    }
    const size = (readFileSync(join(folder, 'pods.json')).length / 1e6).toFixed(0)
    return [
      {
        name: 'relt scan run less the scanner alone / node -e 0',
        ours: median(whole) - median(alone),
        base: median(started),
        unit: 'ms',
      },
      {
        name: `inventory of ${pods} pods, ${size} MB / parse of it`,
        ours: median(ours),
        base: median(bare),
        unit: 'ms',
      },
    ]
  })
}

const scanner = `#!/bin/sh
for word; do case "$word" in --output-path=*) out="\${word#--output-path=}";; esac; done
sleep 0.2
cp "$FIXTURE/report.json" "$out/kubebuddy-report-20260601-100000.json"
`

const kubectl = `#!/bin/sh
if [ "$1" = auth ]; then echo no; exit 1; fi
path="\${3%%\\?*}"
exec cat "$FIXTURE/\${path##*/}.json"
`

function writeProgram(file: string, text: string): void {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

function writeLists(folder: string): void {
  const write = (kind: string, items: unknown[]) =>
    writeFileSync(join(folder, `${kind}.json`), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 4))
  const groups = ['apps', 'batch'].map((name) => ({ name, versions: [{ groupVersion: `${name}/v1`, version: 'v1' }] }))
  writeFileSync(join(folder, 'apis.json'), JSON.stringify({ kind: 'APIGroupList', apiVersion: 'v1', groups }))
  for (const kind of ['replicasets', 'statefulsets', 'daemonsets', 'cronjobs', 'jobs']) write(kind, [])
  const names = Array.from({ length: pods / 2 }, (_, i) => `service-${i}`)
  write('deployments', names.map(deployment))
  write(
    'pods',
    names.flatMap((name, i) => [pod(name, i, 'ghk9m'), pod(name, i, 'x7v2q')]),
  )
}

const hash = '65cc8855c'

function deployment(name: string, i: number) {
  const containers = [{ name, image: `registry.corp.example/team/${name}:1.${i % 20}.0` }]
  const metadata = { name, namespace: `team-${i % 97}`, labels: { 'helm.sh/chart': `${name}-1.2.3` } }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { template: { spec: { containers } } } }
}

/** In the proportions of a real one: 12 KB as kubectl prints it, of which little is of interest. */
function pod(name: string, i: number, suffix: string) {
  const env = Array.from({ length: 26 }, (_, n) => ({ name: `SETTING_${n}`, value: `value-${n}-of-${name}` }))
  const container = (called: string, image: string) => ({
    name: called,
    image,
    env,
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [{ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: 'token', readOnly: true }],
  })
  const image = `registry.corp.example/team/${name}:1.${i % 20}.0`
  const proxy = 'docker.io/istio/proxyv2:1.24.1'
  const status = (called: string, of: string) => ({
    name: called,
    image: of,
    imageID: `${of.split(':')[0]}@sha256:${'a1b2c3d4'.repeat(8)}`,
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: '2026-06-01T10:00:00Z' } },
  })
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${name}-${hash}`, controller: true }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${name}-${hash}-${suffix}`,
      namespace: `team-${i % 97}`,
      labels: { app: name, 'pod-template-hash': hash },
      ownerReferences: [owner],
    },
    spec: { containers: [container(name, image), container('istio-proxy', proxy)], nodeName: `node-${i % 50}` },
    status: { phase: 'Running', containerStatuses: [status(name, image), status('istio-proxy', proxy)] },
  }
}

/** Milliseconds; each in a process of its own, without the time to start it. */
function inProcess(side: string, env: Record<string, string>): number {
  return Number(runOnce({ argv: [node, import.meta.filename, side], env }).stdout)
}

async function measure(side: string): Promise<number> {
  // From source, loading a module means stripping its types: that is no part of what is measured.
  const { KubeCluster } = await import('../src/kube/cluster.ts')
  const { takeInventory } = await import('../src/scan/take-inventory.ts')
  const started = performance.now()
  if (side === 'bare') JSON.parse(readFileSync(join(process.env.FIXTURE!, 'pods.json'), 'utf8'))
  else await takeInventory(new KubeCluster({ env: process.env }), {})
  return performance.now() - started
}

if (import.meta.main) process.stdout.write(String(await measure(process.argv[2]!)))
