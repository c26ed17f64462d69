import type { NotRunCheck } from './scan.ts'

interface KnownFault {
  checks: readonly string[]
  /** Builds that have it. A report does not state its build, so the message identifies the fault. */
  builds: string
  message: RegExp
  why: string
  source: string
}

/** Faults and limits of KubeBuddy because of which a check cannot run, whatever the cluster. */
const knownFaults: readonly KnownFault[] = [
  {
    checks: ['NET019'],
    builds: 'native v0.0.36',
    message: /unsupported operator "exists"/,
    why: 'its rule has the operator exists, which that build does not know',
    source:
      'checks/kubernetes/network-storage.yaml and internal/checks/evaluator.go of KubeDeckio/KubeBuddy at a1a3fc37',
  },
  {
    checks: ['WRK003'],
    builds: 'PowerShell v0.0.27',
    message: /^Script block execution failed: The term '\\?\$ready\/\$desired/,
    why: 'its script calls a command that does not exist',
    source: 'reports of v0.0.27 in PowerShell 7.6.5',
  },
  {
    checks: ['NODE002'],
    builds: 'PowerShell v0.0.27',
    message: /^Script block execution failed: Cannot convert value "[\d.]+[KMGTPE]i?" to type "System\.Int32"/,
    why: 'its script reads the memory of a node only in Ki',
    source: 'reports of v0.0.27 in PowerShell 7.6.5',
  },
  {
    checks: ['PROM006', 'PROM007'],
    builds: 'native v0.0.36 and before',
    message: /\b7 days of Prometheus history\b|^Insufficient Prometheus history\b/,
    why: 'it needs 7 days of Prometheus history',
    source: 'docs/cli/prometheus-integration.md of KubeDeckio/KubeBuddy at a1a3fc37',
  },
]

/** Why a check cannot run in a build of its scanner; undefined if the cluster or the setup may be the reason. */
export function findFault({ id, reason }: NotRunCheck): string | undefined {
  const fault = knownFaults.find(({ checks, message }) => checks.includes(id) && message.test(reason))
  return fault && `${fault.why} (KubeBuddy, ${fault.builds})`
}
