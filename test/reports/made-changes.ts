import type { MadeReport, MadeRow } from './made-cluster.ts'

export interface Told {
  new?: number
  resolved?: number
  regressed?: number
  changed?: number
  suppressed?: number
  incomparable?: number
}

export interface Change {
  name: string
  make: (report: MadeReport) => void
  told: Told
  /** Of the gate `new>=info`. */
  gate: 'passed' | 'failed' | 'undecided'
}

const toRows = (report: MadeReport, id: string) => report.checks[id]!.Items as MadeRow[]

function edit(id: string, change: (rows: MadeRow[], report: MadeReport) => MadeRow[]) {
  return (report: MadeReport) => {
    const check = report.checks[id]!
    check.Items = change(toRows(report, id), report)
    check.Total = check.Items.length
  }
}

/** All rows of one pod's workload, so that replicas change together. */
const sameWorkload = (rows: MadeRow[]) =>
  rows.filter(
    ({ Namespace, Resource }) => Namespace === rows[0]!.Namespace && workload(Resource) === workload(rows[0]!.Resource),
  )
const workload = (resource: unknown) => String(resource).split('-').slice(0, 2).join('-')

const editWorkload = (id: string, change: MadeRow) =>
  edit(id, (rows) => {
    const chosen = new Set(sameWorkload(rows))
    return rows.map((row) => (chosen.has(row) ? { ...row, ...change } : row))
  })

/** `rows` tells how many findings it is: replicas of a workload are one, those of a StatefulSet one each. */
export const changes: Change[] = [
  { name: 'nothing', make: () => {}, told: {}, gate: 'passed' },
  {
    name: 'a check is skipped',
    make: ({ checks }) => {
      Object.assign(checks.NET007!, {
        Total: 0,
        Items: { Status: 'Skipped', Message: 'Unable to check due to: forbidden' },
      })
    },
    told: { incomparable: 24 },
    gate: 'undecided',
  },
  {
    name: 'a check has an error',
    make: (report) => {
      report.checks.NET007 = { ID: 'NET007', Name: 'Name of NET007', Error: 'timed out' } as never
    },
    told: { incomparable: 24 },
    gate: 'undecided',
  },
  {
    name: 'a check that found nothing is skipped',
    make: ({ checks }) => {
      Object.assign(checks.PVC001!, { Total: 0, Items: { Status: 'Skipped', Message: 'Unable to check' } })
    },
    told: {},
    gate: 'undecided',
  },
  {
    name: 'Prometheus has too little history',
    make: ({ checks }) => {
      const Status = 'Insufficient Prometheus history'
      Object.assign(checks.WRK002!, { Total: 0, Items: { Status, Message: Status } })
    },
    told: { incomparable: 24 },
    gate: 'undecided',
  },
  {
    name: 'a finding is suppressed',
    make: edit('NET007', ([first, ...rest], report) => {
      Object.assign(report.checks.NET007!, {
        SuppressedTotal: 1,
        SuppressedFindings: [{ ...first, Reason: 'known', Until: '2027-01-01' }],
      })
      return rest
    }),
    told: { suppressed: 1 },
    gate: 'passed',
  },
  {
    name: 'all nodes are well, against the total',
    make: ({ checks }) => {
      checks.NODE001!.Items = (checks.NODE001!.Items as MadeRow[]).map((row) => ({
        ...row,
        Status: '✅ Healthy',
        Issues: 'None',
      }))
      checks.NODE001!.Total = 3
    },
    told: { incomparable: 1 },
    gate: 'undecided',
  },
  {
    name: 'a second port is exposed',
    make: edit('NET007', (rows) => [
      ...rows,
      { ...rows[0], Message: "Service targetPort '9999' not found in backing pods", Value: '9999' },
    ]),
    told: { new: 1 },
    gate: 'failed',
  },
  {
    name: 'a second path is mounted',
    make: edit('SEC010', (rows) => [...rows, { ...rows[0], Value: '/var/run/docker.sock' }]),
    told: { new: 1 },
    gate: 'failed',
  },
  {
    name: 'another path is mounted',
    make: editWorkload('SEC010', { Value: '/root' }),
    told: { new: 1, resolved: 1 },
    gate: 'failed',
  },
  {
    name: 'another port is used',
    make: editWorkload('SEC021', { Message: 'Container app uses hostPort 30001', Value: '30001' }),
    told: { new: 1, resolved: 1 },
    gate: 'failed',
  },
  {
    name: 'another image runs',
    make: editWorkload('SEC014', { Value: 'ghcr.io/acme/other:1.0.0' }),
    told: { new: 1, resolved: 1 },
    gate: 'failed',
  },
  {
    name: 'one more replica',
    make: edit('SEC003', (rows) => [
      ...rows,
      { ...rows[0], Resource: `${rows[0]!.Resource}`.replace(/.....$/, 'x2z4b') },
    ]),
    told: { changed: 1 },
    gate: 'passed',
  },
  {
    name: 'one more fault of the same pod',
    make: edit('SEC003', (rows) => [...rows, { ...rows[0] }]),
    told: { regressed: 1 },
    gate: 'passed',
  },
  {
    name: 'one finding less',
    make: edit('NET007', (rows) => rows.slice(1)),
    told: { resolved: 1 },
    gate: 'passed',
  },
  {
    name: 'a state changes',
    make: editWorkload('SEC003', { Value: '0' }),
    told: { changed: 1 },
    gate: 'passed',
  },
  {
    name: 'half of a fault is mended',
    make: editWorkload('SEC002', { Message: 'Pod uses hostNetwork', Value: 'hostPID=false, hostNetwork=true' }),
    told: { changed: 1 },
    gate: 'passed',
  },
  {
    name: 'a flag goes the wrong way',
    make: editWorkload('SEC006', { Value: 'runAsNonRoot: , readOnlyRootFilesystem: , allowPrivilegeEscalation: ' }),
    told: { regressed: 1 },
    gate: 'passed',
  },
  {
    name: 'an age passes a threshold',
    make: editWorkload('POD002', { Message: 'Critical', Value: '91' }),
    told: { regressed: 1 },
    gate: 'passed',
  },
  {
    name: 'a series of Prometheus comes',
    make: edit('PROM003', (rows) => [...rows, { ...rows[0], MetricLabels: 'namespace: shop, pod: other-0' }]),
    told: { new: 1 },
    gate: 'failed',
  },
  {
    name: 'namespaces are left out',
    make: (report) => {
      Object.assign(report.metadata, { excludeNamespacesEnabled: true, excludedNamespaces: ['shop'] })
      for (const check of Object.values(report.checks)) {
        if (!Array.isArray(check.Items)) continue
        check.Items = check.Items.filter((row) => !/shop/.test(JSON.stringify(row)))
        check.Total = check.ID.startsWith('NODE00') ? check.Total : check.Items.length
      }
    },
    told: { incomparable: Number.NaN },
    gate: 'undecided',
  },
]
