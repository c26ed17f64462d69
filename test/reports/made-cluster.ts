/**
 * A made-up cluster as KubeBuddy's native build reports it. `churn` is which rollout this is: names of pods, jobs, machines
 * and events follow from it, and so do patch versions, counts and ages. Nothing else changes with it.
 */
export type Offering = 'aks' | 'gke' | 'eks' | 'own'
export const offerings: Offering[] = ['aks', 'gke', 'eks', 'own']

export interface MadeRow {
  [key: string]: unknown
}

interface MadeCheck {
  ID: string
  Name: string
  Severity: string
  ResourceKind: string
  Total: number
  Items: MadeRow[] | MadeRow | null
  [key: string]: unknown
}

export interface MadeReport {
  metadata: Record<string, unknown>
  checks: Record<string, MadeCheck>
}

const safe = 'bcdfghjklmnpqrstvwxz2456789'

/** A generator of numbers from 0 to 1 that depends on its seed alone. */
export function random(seed: string): () => number {
  let state = [...seed].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261) >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

export function madeReport(offering: Offering, seed: number, churn: number): MadeReport {
  const roll = random(`${offering}/${seed}/roll/${churn}`)
  const what = random(`${offering}/${seed}`)
  const generated = (length: number) => Array.from({ length }, () => safe[Math.floor(roll() * safe.length)]).join('')
  const hex = (length: number) => Array.from({ length }, () => Math.floor(roll() * 16).toString(16)).join('')
  const number = (below: number) => Math.floor(roll() * below)
  const machine = (pool: string, i: number): string =>
    ({
      aks: `aks-${pool}-${10_000_000 + number(89_999_999)}-vmss${String(i).padStart(6, '0')}`,
      gke: `gke-prod-${pool}-pool-${hex(8)}-${generated(4)}`,
      eks: `ip-10-${number(10)}-${number(250)}-${1 + number(250)}.eu-west-1.compute.internal`,
      own: `host-${pool}-${i}`,
    })[offering]
  const machines = [0, 1, 2].map((i) => machine(i === 0 ? 'system' : 'user', i))
  const checks: Record<string, MadeCheck> = {}
  const add = (ID: string, Severity: string, ResourceKind: string, row: MadeRow) => {
    checks[ID] ??= { ID, Name: `Name of ${ID}`, Severity, ResourceKind, Total: 0, Items: [] }
    ;(checks[ID].Items as MadeRow[]).push(row)
    checks[ID].Total++
  }

  for (const [i, Node] of machines.entries()) {
    const isBad = i === 2
    add('NODE001', 'critical', 'Node', {
      Node,
      Status: isBad ? '❌ Not Ready' : '✅ Healthy',
      Issues: isBad ? 'NotReady' : 'None',
    })
    add('NODE002', 'warning', 'Node', {
      Node,
      'CPU Status': '✅ Normal',
      'CPU %': `${number(60)}.${number(99)}%`,
      'Mem Status': '✅ Normal',
      'Mem Used': `${number(9000)} Mi`,
      'Disk Status': '✅ Normal',
    })
    add('NODE003', 'warning', 'Node', {
      Node,
      Percentage: `${81 + number(9)}.00%`,
      Status: 'Warning',
      Threshold: '80%',
    })
  }
  checks.NODE001!.Total = 1
  checks.NODE002!.Total = 0
  for (let n = 0; n < 24; n++) {
    const Namespace = ['shop', 'billing', 'search', 'media'][Math.floor(what() * 4)]!
    const name = `${['api', 'web', 'worker', 'etl'][Math.floor(what() * 4)]}-${n}`
    const kind = n % 4
    const replicas = 1 + Math.floor(what() * 3)
    const image = `ghcr.io/acme/${name}:2.${n}.${churn}`
    const hash = generated(9)
    const pods = Array.from({ length: replicas }, (_, i) =>
      kind === 0
        ? `${name}-${hash}-${generated(5)}`
        : kind === 1
          ? `${name}-${i}`
          : kind === 2
            ? `${name}-${generated(5)}`
            : `${name}-${29_000_000 + churn * 60 + i}-${generated(5)}`,
    )
    for (const pod of pods) {
      const at = { Namespace, Resource: `pod/${pod}` }
      const age = 20 + churn
      add('SEC003', 'critical', 'Pod', {
        ...at,
        Message: 'Container app runs as root or has no runAsUser set',
        Value: 'Not Set (Defaults to root)',
      })
      add('SEC006', 'warning', 'Pod', {
        ...at,
        Message: 'Container app is missing one or more secure defaults',
        Value: 'runAsNonRoot: , readOnlyRootFilesystem: True, allowPrivilegeEscalation: ',
      })
      add('SEC014', 'critical', 'Pod', {
        ...at,
        Message: 'Image from untrusted registry in container app',
        Value: image,
      })
      add('POD002', 'warning', 'Pod', { ...at, Message: 'Warning', Value: String(age) })
      if (n % 3 === 0) {
        add('SEC002', 'critical', 'Pod', {
          ...at,
          Message: 'Pod uses hostPID and hostNetwork',
          Value: 'hostPID=true, hostNetwork=true',
        })
        add('SEC010', 'critical', 'Pod', { ...at, Message: 'hostPath volume host used', Value: '/etc' })
        add('SEC021', 'critical', 'Pod', { ...at, Message: 'Container app uses hostPort 30000', Value: '30000' })
        add('NET020', 'info', 'Deployment', {
          ...at,
          Resource: `pods/${pod}`,
          Message: 'Ingress-NGINX controller component detected',
          Value: `${pod} ${name} ${image}`,
        })
        add('WRK013', 'critical', 'Pod', {
          ...at,
          Message: `CrashLoopBackOff, HighRestarts(${30 + churn * 3}) cpuReq=100m cpuLimit=500m`,
          Value: 'app',
        })
        add('PROM003', 'warning', 'Pod', {
          MetricLabels: `namespace: ${Namespace}, pod: ${pod}`,
          Average: `${number(900)}Mi`,
          Message: 'High average memory',
        })
      }
    }
    const pod = pods[0]!
    if (n % 5 === 0) {
      const Message = `Back-off restarting failed container app in pod ${pod}_${Namespace}`
      add('EVENT001', 'warning', 'events', { Count: 2 + number(300), Message, Reason: 'BackOff', Source: 'kubelet' })
      add('EVENT002', 'warning', 'events', {
        Namespace,
        Object: `Pod/${pod}`,
        Message,
        Reason: 'BackOff',
        Source: 'kubelet',
        Timestamp: `2026-11-2${number(9)}T23:36:14Z`,
      })
    }
    add('WRK002', 'warning', 'Deployment', {
      Namespace,
      Resource: `deployment/${name}`,
      Message: 'Deployment has fewer available replicas than desired.',
      Value: `${number(2)}/${replicas + 2}`,
    })
    add('NET007', 'critical', 'Service', {
      Namespace,
      Resource: `service/${name}`,
      Message: "Service targetPort '8443' not found in backing pods",
      Value: '8443',
    })
  }
  add('RBAC002', 'critical', 'ClusterRoleBinding', {
    Namespace: '🌍 Cluster-Wide',
    Resource: 'ClusterRoleBinding/ops',
    Message: 'Wildcard permission role',
    Value: 'ServiceAccount/shop/deployer',
  })
  checks.PVC001 = {
    ID: 'PVC001',
    Name: 'Name of PVC001',
    Severity: 'warning',
    ResourceKind: 'PVC',
    Total: 0,
    Items: null,
  }
  // Something owns each pod.
  checks.POD010 = {
    ID: 'POD010',
    Name: 'Name of POD010',
    Severity: 'warning',
    ResourceKind: 'Pod',
    Total: 0,
    Items: null,
  }
  return {
    metadata: { clusterName: 'made', kubernetesVersion: 'v1.33.6', excludeNamespacesEnabled: false, score: 51 },
    checks,
  }
}
