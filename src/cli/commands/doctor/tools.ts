import type { DoctorCheck } from './line.ts'

export const checkScanner: DoctorCheck = async ({ context: { env } }) => {
  const { findRunners } = await import('../../../scan/runner.ts')
  const runners = await findRunners(env)
  const ready = runners.filter(({ file, lacks }) => file !== undefined && lacks === undefined)
  const lacking = runners.flatMap(({ lacks }) => (lacks === undefined ? [] : [lacks]))
  const [first] = ready
  const check = 'scanner'
  if (first) return [{ check, state: 'ok', found: ready.map(({ name }) => name).join(', ') }]
  const hint = 'Only `relt scan` needs one. See what is missing: relt scan doctor'
  return [{ check, state: 'warn', found: lacking.join('; ') || 'none on this machine', hint }]
}

export const checkKubectl: DoctorCheck = async ({ context: { env } }) => {
  const { findKubectl } = await import('../../../scan/kubectl.ts')
  const file = findKubectl(env)
  const check = 'kubectl'
  if (file !== undefined) return [{ check, state: 'ok', found: file }]
  const hint = 'Only `relt scan` needs it, to list what runs in a cluster.'
  return [{ check, state: 'warn', found: 'not on PATH', hint }]
}
