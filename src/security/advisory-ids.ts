import { anyAdvisoryId } from '../contract/patterns.ts'

/** Hyphens that people and word processors use. */
const hyphen = '[-\u2010-\u2013\u2212]'
const cve = `CVE${hyphen}(?:1999|20\\d\\d)${hyphen}\\d{4,7}(?!\\d)`
const ghsa = `GHSA(?:${hyphen}[23456789cfghjmpqrvwx]{4}){3}(?![0-9a-z])`
const pattern = new RegExp(`(?<![0-9a-z])(?:${cve}|${ghsa})`, 'gi')

/** Longer lists are copies of a database. */
const most = 200

/** The CVE and GHSA ids in a text, without duplicates, in order and canonical spelling. */
export function advisoryIds(text: string) {
  const ids = new Set<string>()
  for (const [found] of text.matchAll(pattern)) {
    const id = canonicalId(found)
    if (!id.endsWith('-0000')) ids.add(id)
    if (ids.size === most) break
  }
  return [...ids]
}

/** Whether the whole text is one id. */
export function isAdvisoryId(text: string) {
  const [id] = advisoryIds(text)
  return id !== undefined && id.length === text.trim().length
}

/**
 * Whether it can be an id of any database, such as `ACME-2026-1`, whose prefix is a word. Ids that start like a CVE or GHSA
 * id must be valid.
 */
export function canBeAdvisoryId(text: string) {
  if (/^(?:CVE|GHSA)(?![a-z0-9])/i.test(text.trim())) return isAdvisoryId(text)
  return new RegExp(anyAdvisoryId).test(text.trim())
}

/** Whether user input matches one of an advisory's ids. */
export function isNamed({ id, aliases }: { id: string; aliases: string[] }, typed: string) {
  const wanted = canonicalId(typed).toUpperCase()
  return [id, ...aliases].some((each) => each.toUpperCase() === wanted)
}

/** `cve-2024-1` → `CVE-2024-1`, `ghsa-AAAA-…` → `GHSA-aaaa-…`. */
export function canonicalId(id: string) {
  const plain = id.trim().replace(new RegExp(hyphen, 'g'), '-')
  return /^ghsa/i.test(plain) ? `GHSA${plain.slice(4).toLowerCase()}` : plain.toUpperCase()
}

/** URL of a page about the advisory. */
export function advisoryLink(id: string) {
  if (id.startsWith('GHSA')) return `https://github.com/advisories/${id}`
  return id.startsWith('CVE') ? `https://nvd.nist.gov/vuln/detail/${id}` : `https://osv.dev/vulnerability/${id}`
}
