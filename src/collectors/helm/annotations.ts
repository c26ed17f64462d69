import type * as z from 'zod/mini'
import { isWebAddress } from '../../contract/shape.ts'
import { securityIn } from '../security-ids.ts'
import { Annotations, Changes, type ChartChange, Links } from './schema.ts'
import type { ParseYaml } from './yaml.ts'

const longest = 64 * 1024

/**
 * Facts about a version from its chart's annotations, which are the same in an index and a manifest: notes in HTML, security
 * facts, and whether it is a pre-release.
 */
export function readAnnotations(annotations: Record<string, unknown>, parse: ParseYaml) {
  const known = Annotations.safeParse(annotations).data ?? {}
  const changes = readList(known['artifacthub.io/changes'], Changes, parse)
  const notes = [
    ...toList(changes.map(writeChange)),
    ...toList(readList(known['artifacthub.io/links'], Links, parse).map(writeLink)),
  ].join('')
  const named = securityIn(notes)
  const hasFix =
    named !== null ||
    isTrue(known['artifacthub.io/containsSecurityUpdates']) ||
    changes.some(({ kind }) => kind?.toLowerCase() === 'security')
  return {
    notes,
    security: hasFix ? { hasFix, ids: named?.ids ?? [] } : null,
    isPrerelease: isTrue(known['artifacthub.io/prerelease']),
  }
}

function isTrue(text: string | undefined) {
  return text?.toLowerCase() === 'true'
}

function escapeHtml(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** A YAML list within a text; empty if invalid. */
function readList<T extends z.ZodMiniType<unknown[]>>(
  text: string | undefined,
  shape: T,
  parse: ParseYaml,
): z.output<T> | [] {
  if (text === undefined || text.length > longest) return []
  try {
    return shape.safeParse(parse(text)).data ?? []
  } catch {
    return []
  }
}

function toList(lines: string[]) {
  return lines.length > 0 ? ['<ul>', ...lines.map((line) => `<li>${line}</li>`), '</ul>'] : []
}

function writeChange({ kind, description, links = [] }: ChartChange) {
  const text = `${kind ? `<strong>${escapeHtml(kind)}</strong> ` : ''}${escapeHtml(description)}`
  return [text, ...links.map(writeLink)].join(' ')
}

function writeLink({ name, url }: { name?: string | undefined; url: string }) {
  const text = escapeHtml(name || url)
  return isWebAddress(url) ? `<a href="${escapeHtml(url)}">${text}</a>` : text
}
