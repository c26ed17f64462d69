import { createHash } from 'node:crypto'
import type { ReceivedFreshness, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { fixText } from '../lifecycle/step-text.ts'
import { type Exception, Exceptions } from './exception.ts'

export interface VexOptions {
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  now: string
  /** Version of relt. */
  version: string
  author: string
}

interface Statement {
  vulnerability: { name: string; aliases: string[] }
  exception: Exception
  products: Set<string>
  exploited: { since: string } | null | undefined
  /** For each product with known steps: the version that fixes the advisory, and the recommended step. */
  fixes: Set<string>
}

/**
 * An OpenVEX 0.2.0 document with a statement for each advisory that affects running artifacts and that an exception covers.
 * Equal exceptions, artifacts and steps give the same id. https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md
 */
export function toVex(
  freshness: Pick<ReceivedFreshness, 'items'>,
  exceptions: Exception[],
  { now, version, author }: VexOptions,
) {
  const matching = new Exceptions(exceptions, now.slice(0, 10))
  const statements = new Map<string, Statement>()
  for (const item of freshness.items) {
    for (const advisory of item.advisories ?? []) {
      const { id, aliases, exploited } = advisory
      const exception = matching.forAdvisory(item, { id, aliases })
      if (!exception) continue
      const key = JSON.stringify([id, exception])
      const vulnerability = { name: id, aliases }
      const made = { vulnerability, exception, exploited, products: new Set<string>(), fixes: new Set<string>() }
      const statement = statements.get(key) ?? made
      statements.set(key, statement)
      statement.products.add(toProduct(item))
      if (item.steps) statement.fixes.add(`${item.display_name ?? item.artifact_key}: ${fixText(advisory, item)}`)
    }
  }
  const written = [...statements.values()].map(toStatement)
  const digest = createHash('sha256').update(JSON.stringify(written)).digest('hex')
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://openvex.dev/docs/public/vex-${digest}`,
    author,
    timestamp: `${now.replace(' ', 'T')}Z`,
    version: 1,
    tooling: `relt ${version}`,
    statements: written,
  }
}

const mostFixes = 10

function toStatement({ vulnerability, exception, products, exploited, fixes }: Statement) {
  const { justification, reason, expires } = exception
  const shown = justification ? [] : [...fixes].sort().slice(0, mostFixes)
  const rest = justification ? 0 : fixes.size - shown.length
  const notes = [
    `Accepted until ${expires}`,
    ...(exploited ? [`Known to be exploited since ${exploited.since}`] : []),
    ...shown,
    ...(rest > 0 ? [`${rest} more products`] : []),
  ]
  return {
    vulnerability,
    products: [...products].sort().map((id) => ({ '@id': id })),
    ...(justification
      ? { status: 'not_affected', justification, impact_statement: reason }
      : { status: 'affected', action_statement: reason }),
    status_notes: notes.join('. '),
  }
}

/** A package URL: https://github.com/package-url/purl-spec */
function toProduct({
  artifact_type,
  artifact_key,
  current_version,
  source_product_slug,
}: ReceivedFreshnessItem): string {
  const key = artifact_key ?? ''
  if (artifact_type !== 'image') {
    const name = source_product_slug ?? key.split('@')[0] ?? ''
    return `pkg:generic/${encodeURIComponent(name)}@${encodeURIComponent(current_version ?? '')}`
  }
  const [, repository = key, tag, digest] = /^([^@]+?)(?::([^:@/]+))?(?:@(.+))?$/.exec(key) ?? []
  const version = digest === undefined ? '' : `@${encodeURIComponent(digest)}`
  const qualifiers = [
    `repository_url=${encodeURIComponent(repository)}`,
    ...(tag === undefined ? [] : [`tag=${encodeURIComponent(tag)}`]),
  ]
  return `pkg:oci/${encodeURIComponent(repository.split('/').at(-1) ?? '')}${version}?${qualifiers.join('&')}`
}
