/** Findings of a distinct report unless told; every one is different, half of them are in every report. */
export const distinctFindings = 600

const checkIds = ['SEC003', 'SEC014', 'WRK007']

/** The report with this number: another number is another content, later by a second. */
export function distinctReport(number: number, findings = distinctFindings): Record<string, unknown> {
  return makeReport(number, (check) =>
    Array.from({ length: findings / checkIds.length }, (_, i) => ({
      Namespace: `team-${i % 7}`,
      Resource: `deployment/${i % 2 ? 'shared' : `own-${number}`}-app-${check}-${i}`,
      Message: 'Container app may run as root: neither the container nor its pod names a user',
      Value: 'Not Set (Defaults to root)',
    })),
  )
}

/** Earlier than every distinct report, with the same scope and no finding. */
export const emptyReport = makeReport(-1, () => [])

function makeReport(number: number, items: (check: string) => unknown[]): Record<string, unknown> {
  return {
    metadata: {
      clusterName: 'load',
      kubernetesVersion: 'v1.34.2',
      generatedAt: new Date(Date.UTC(2026, 1, 1) + number * 1000).toISOString(),
      score: 60 + (Math.abs(number) % 40),
      number,
    },
    checks: Object.fromEntries(
      checkIds.map((id) => {
        const found = items(id)
        return [id, { ID: id, Name: `Check ${id}`, Severity: 'critical', Total: found.length, Items: found }]
      }),
    ),
  }
}
