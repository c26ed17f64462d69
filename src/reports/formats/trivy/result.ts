import { string } from '../../read.ts'
import { stableValue } from '../../stable-text.ts'
import type { Place, ScanCollector } from '../collector.ts'
import { objects } from '../values.ts'
import { readSeverity } from './severity.ts'

type Values = Record<string, unknown>

/** One of `Results`: what was found in one target (an image's packages, a manifest, a file). */
export function readResult(result: Values, place: Place, collector: ScanCollector): void {
  const target = targetOf(result)
  for (const vulnerability of objects(result.Vulnerabilities)) {
    addVulnerability(vulnerability, { place, target }, collector)
  }
  for (const misconfiguration of objects(result.Misconfigurations))
    addMisconfiguration(misconfiguration, place, collector)
  for (const secret of objects(result.Secrets)) addSecret(secret, { place, target }, collector)
}

interface Where {
  place: Place
  target: string
}

function addVulnerability(row: Values, { place, target }: Where, collector: ScanCollector): void {
  const id = string(row.VulnerabilityID)
  if (!id) return
  const name = string(row.Title) ?? id
  const pkg = string(row.PkgName) ?? ''
  const path = string(row.PkgPath) ?? ''
  collector.finding({ id, name, category: 'Vulnerability' }, readSeverity(row.Severity), {
    ...place,
    message: describePackage(pkg, row.InstalledVersion, row.FixedVersion),
    value: path || target || null,
    identity: `${pkg}\n${path}\n${stableValue(target)}`,
  })
}

/** `openssl 3.0.11-1, fixed in 3.0.13-1`. */
export function describePackage(pkg: string, installed: unknown, fixed: unknown): string {
  const fixedIn = string(fixed)
  return `${[pkg, string(installed)].filter(Boolean).join(' ')}, ${fixedIn ? `fixed in ${fixedIn}` : 'no fix yet'}`
}

function addMisconfiguration(row: Values, place: Place, collector: ScanCollector): void {
  const id = string(row.ID) ?? string(row.AVDID)
  if (!id) return
  const check = { id, name: string(row.Title) ?? id, category: 'Misconfiguration' }
  const status = string(row.Status) ?? 'FAIL'
  if (status !== 'FAIL') return void collector.check(check)
  const message = string(row.Message) ?? check.name
  collector.finding(check, readSeverity(row.Severity), { ...place, message, value: null })
}

/** What was found is not repeated: it is a secret. */
function addSecret(row: Values, { place, target }: Where, collector: ScanCollector): void {
  const id = string(row.RuleID)
  if (!id) return
  const name = string(row.Title) ?? id
  collector.finding({ id, name, category: 'Secret' }, readSeverity(row.Severity), {
    ...place,
    message: name,
    value: target || null,
  })
}

/** `nginx:1.27 (debian 12.5)` without the system. */
export function targetOf({ Target }: Values): string {
  return (string(Target) ?? '').replace(/ \([^()]*\)$/, '')
}
