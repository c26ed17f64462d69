/** One finding, with a name of its own. */
export function smallReport(name: string): Buffer {
  const Items = [{ Namespace: 'shop', Resource: `deployment/${name}`, Message: `${name} has no limits` }]
  const check = { ID: 'WRK005', Name: 'Limits', Category: 'Workloads', Severity: 'warning', Total: 1, Items }
  return Buffer.from(JSON.stringify({ metadata: { clusterName: 'shop' }, checks: { WRK005: check }, name }))
}
