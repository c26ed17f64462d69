import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../src/reports/compare.ts'
import { random } from './made-cluster.ts'
import { type Row, runOfReport, scan } from './scan.ts'

const alphabet = {
  safe: 'bcdfghjklmnpqrstvwxz2456789',
  hex: '0123456789abcdef',
  low: 'abcdefghijklmnopqrstuvwxyz0123456789',
}
type Draw = (letters: keyof typeof alphabet, length: number) => string

/** Names of pods by the tools that make them. `i` is the number of the pod, `churn` that of the rollout. */
const schemes: Record<string, (draw: Draw, i: number, churn: number) => string> = {
  Deployment: (draw, _, churn) => `web-v2-6d5f7c9b${churn}-${draw('safe', 5)}`,
  StatefulSet: (_, i) => `orders-db-${i}`,
  DaemonSet: (draw) => `agent-1-${draw('safe', 5)}`,
  CronJob: (draw, i, churn) => `export-${29_300_000 + churn * 60 + i}-${draw('safe', 5)}`,
  'CronJob of an old Kubernetes': (draw, i, churn) => `report-${1_616_161_620 + churn * 3600 + i}-${draw('safe', 5)}`,
  'DeploymentConfig of OpenShift': (draw, _, churn) => `shop-front-${churn + 1}-${draw('safe', 5)}`,
  'deployer of OpenShift': (_, i, churn) => `shop-front-${churn + 1 + i}-deploy`,
  CloudNativePG: (_, i) => `accounts-${i + 1}`,
  Strimzi: (_, i) => `events-kafka-${i}`,
  'Strimzi with pools': (_, i) => `events-brokers-${i + 3}`,
  vcluster: (draw, _, churn) => `api-6d5f7c9b${churn}-${draw('safe', 5)}-x-shop-x-dev`,
  GitLab: (draw, i) => `runner-${draw('low', 8)}-project-12-concurrent-${i}-${draw('safe', 5)}`,
  Jenkins: (draw, i, churn) => `shop-main-${40 + churn + i}-${draw('safe', 5)}-${draw('safe', 5)}-${draw('safe', 5)}`,
  'Argo Workflows': (draw, i) => `train-${draw('safe', 5)}-step-${2_000_000_000 + i}`,
  Tekton: (draw) => `image-run-${draw('safe', 5)}-scans-pod`,
  Spark: (draw, i) => `etl-${draw('hex', 16)}-exec-${i + 1}`,
  Flink: (_, i, churn) => `session-taskmanager-${churn + 1}-${i + 1}`,
  Knative: (draw, _, churn) => `hello-0004${churn}-deployment-6d5f7c9b8-${draw('safe', 5)}`,
  'Actions Runner Controller': (draw) => `arm-${draw('low', 5)}-runner-${draw('low', 5)}`,
  'static pod of Talos': (_, i, churn) => `etcd-talos-a${i}b-${churn}cd`,
  'static pod of Karpenter': (_, i, churn) => `kube-proxy-ip-10-0-${churn}-${i}.eu-west-1.compute.internal`,
  'static pod of GKE Autopilot': (_, i, churn) => `kube-proxy-gk3-shop-pool-2-0a1b2c${churn}d-x7k${i}`,
}

const machines: Record<string, (i: number, churn: number) => string> = {
  Talos: (i, churn) => `talos-a${i}b-${churn}cd`,
  'Karpenter on EKS': (i, churn) => `ip-10-0-${churn}-${i}.eu-west-1.compute.internal`,
  'Fargate on EKS': (i, churn) => `fargate-ip-10-1-${churn}-${i}.eu-west-1.compute.internal`,
  'GKE Autopilot': (i, churn) => `gk3-shop-pool-2-0a1b2c${churn}d-x7k${i}`,
  'AKS with node autoprovisioning': (i, churn) => `aks-default-${churn}x7k${i}`,
  Alibaba: (i, churn) => `cn-hangzhou.10.0.${churn}.${i}`,
}

function cluster(churn: number, many = 3): Row[] {
  const numbers = Array.from({ length: many }, (_, i) => i)
  const pods = Object.entries(schemes).flatMap(([scheme, toName]) =>
    numbers.flatMap((i): Row[] => {
      const next = random(`${scheme} ${churn} ${i}`)
      const draw: Draw = (letters, length) =>
        Array.from({ length }, () => alphabet[letters][Math.floor(next() * alphabet[letters].length)]).join('')
      const resource = `pod/${toName(draw, i, churn)}`
      return [
        { check: 'SEC003', resource, message: 'Container app runs as root', value: 'Not Set' },
        { check: 'POD005', resource, message: 'restarts', value: 'CrashLoopBackOff' },
      ]
    }),
  )
  return pods
}

function report(churn: number, many = 3, bad = [0]) {
  const { metadata, checks } = scan(cluster(churn, many), { passed: ['POD010'] })
  const nodes = Object.values(machines).flatMap((toName) =>
    Array.from({ length: many }, (_, i) => ({
      Node: toName(i, churn),
      ...(bad.includes(i) ? { Status: '❌ Not Ready', Issues: 'NotReady' } : { Status: '✅ Healthy', Issues: 'None' }),
    })),
  )
  const total = nodes.filter(({ Issues }) => Issues !== 'None').length
  const NODE001 = { ID: 'NODE001', Name: 'Nodes', Severity: 'Critical', Total: total, Items: nodes }
  return { metadata, checks: { ...checks, NODE001 } }
}

async function changes(from: object, to: object) {
  const [before, after] = await Promise.all([runOfReport(from), runOfReport(to)])
  const found = await compareRuns(before, after, async () => new Set())
  const said = ({ check_id, resource }: { check_id: string; resource: string | null }) => `${check_id} ${resource}`
  return { new: found.new.map(said), resolved: found.resolved.map(said), regressed: found.regressed.map(said) }
}

const none = { new: [], resolved: [], regressed: [] }

describe('pods and machines by their schemes of names', () => {
  test('are the same after a rollout and after machines were replaced', async () => {
    expect(await changes(report(1), report(2))).toEqual(none)
    expect(await changes(report(2), report(7))).toEqual(none)
  })

  test('grow and shrink without a new finding', async () => {
    expect(await changes(report(1), report(3, 5))).toEqual(none)
    expect(await changes(report(3, 5), report(4, 2))).toEqual(none)
  })

  test('a second machine of a pool that fails is told of each pool', async () => {
    const { regressed, ...others } = await changes(report(1), report(2, 3, [0, 1]))
    expect(others).toEqual({ new: [], resolved: [] })
    // Machines without a pool in their names are one.
    expect(regressed).toHaveLength(new Set(Object.keys(machines)).size - 2)
  })
})
