/** Whether these fields together form a valid target: a finding, findings, artifacts or an advisory. */
export function isExceptionTarget(fields: string[]): boolean {
  if (fields.includes('fingerprint')) return fields.length === 1
  if (fields.includes('advisory')) return fields.every((field) => ['advisory', 'artifact', 'namespace'].includes(field))
  if (fields.includes('artifact')) return fields.every((field) => field === 'artifact' || field === 'namespace')
  return fields.length > 0
}
