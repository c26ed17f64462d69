import type { SecurityHints } from './collector.ts'

const pattern = /\b(?:CVE-\d{4}-\d{4,7}|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3})\b/gi
const most = 200

/** Notes that name an advisory tell of its fix. */
export function securityIn(notes: string): SecurityHints | null {
  const ids = new Set<string>()
  for (const [id] of notes.matchAll(pattern)) {
    ids.add(/^c/i.test(id) ? id.toUpperCase() : `GHSA${id.slice(4).toLowerCase()}`)
    if (ids.size === most) break
  }
  return ids.size > 0 ? { hasFix: true, ids: [...ids] } : null
}
