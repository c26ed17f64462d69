import { isObject } from '../util/json.ts'
import type { Rendered } from './delivery.ts'

/** The texts of a message that users see, without the service's markup; JSON for bodies that programs read. */
export function shownLines(rendered: Rendered): string[] {
  if (rendered.kind === 'mail') return [`Subject: ${rendered.subject}`, '', ...rendered.text.trimEnd().split('\n')]
  const body: unknown = JSON.parse(rendered.body)
  // Bodies for programs have no text for users.
  if (isObject(body) && ('data' in body || 'payload' in body)) return JSON.stringify(body, null, 2).split('\n')
  return toLines(body).flatMap((text) => plainMarkup(text).split('\n'))
}

/** Members with text, in display order. */
const texts = ['title', 'content', 'text', 'message', 'description', 'summary'] as const

function toLines(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toLines)
  if (!isObject(value)) return []
  // Several runs of text on one line.
  if (Array.isArray(value.inlines)) return [value.inlines.map((run) => (isObject(run) ? run.text : '')).join('')]
  const own = texts.flatMap((name) => (typeof value[name] === 'string' ? [value[name]] : []))
  const inner = Object.values(value).filter((member) => typeof member === 'object')
  const hasBlocks = Array.isArray(value.blocks)
  return [...(hasBlocks ? [] : own), ...inner.flatMap(toLines)]
}

function plainMarkup(text: string) {
  return text
    .replace(/<br>/g, '\n')
    .replace(/<https?:[^|>]*\|([^>]*)>/g, '$1')
    .replace(/<\/?(?:b|i|a)(?: [^>]*)?>/g, '')
    .replace(/\[((?:\\.|[^\]\\])*)\]\(https?:[^)]*\)/g, '$1')
    .replace(/\\([\\`*_{}[\]()<>#+!|~])/g, '$1')
    .replace(/\*{1,2}([^*\n]+)\*{1,2}/g, '$1')
    .replace(/&(amp|lt|gt|#38|#60|#62|#34|#39);/g, (_, name: string) => signs[name]!)
    .replaceAll('\u2060', '')
}

const signs: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  '#38': '&',
  '#60': '<',
  '#62': '>',
  '#34': '"',
  '#39': "'",
}
