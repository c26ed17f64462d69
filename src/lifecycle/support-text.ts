import type { Eol } from '../contract/eol.ts'

/** `Support of Kubernetes 1.33 ended on 2026-06-28`, as long as the day is known. */
export function supportText(name: string, { date, is_eol, is_lts }: Eol): string {
  const what = `${name}${is_lts ? ' (LTS)' : ''}`
  if (is_eol) return date === null ? `Support of ${what} has ended` : `Support of ${what} ended on ${date}`
  return date === null ? `${what} is supported; no end is announced` : `${what} is supported until ${date}`
}
