import { compareLines, toMinor } from '../../upgrade/line.ts'
import type { RangeSource } from '../../upgrade/range-source.ts'

const maxLength = 256 * 1024
const maxText = 200

const toCells = (row: string) => row.split('|').map((cell) => cell.trim())
const toText = (found: string) => found.replaceAll(/\s+/g, ' ').slice(0, maxText)

/** The ranges that a file states, each with its text. Undefined if the form of the file has changed. */
export function readPublishedRanges(file: string, source: RangeSource) {
  const { slug, kind, within, row } = source
  // Patterns may take quadratic time for long lines.
  const text = file.length > maxLength ? '' : file.replaceAll(/^.{1001,}$/gm, '')
  const [part] = new RegExp(within, 'm').exec(text) ?? []
  if (part === undefined) return undefined
  const rows = row === undefined ? firstReleases(part, source) : matchedRows(part, source)
  const found = rows.flatMap(({ worded, text, line, patch = '0' }) => {
    const span = toSpan(worded)
    const later = patch === '0' ? {} : { from_patch: `${line}.${patch}` }
    return span ? [{ slug, kind, line, ...span, ...later, text: toText(text) }] : []
  })
  const isBroken = rows.some(({ worded, line }) => !range.test(toPlain(worded)) || toMinor(line) !== line)
  return isBroken || found.length < source.rows ? undefined : found
}

/** A range in the words of the file. */
interface WordedRange {
  line: string
  patch?: string | undefined
  worded: string
  text: string
}

function matchedRows(part: string, { row, mark, lines }: RangeSource): WordedRange[] {
  const head = toCells(part.split('\n', 1)[0]!)
  return [...part.matchAll(new RegExp(row!, 'gm'))].map(({ 0: text, groups }) => {
    const { line = lines![0]!, patch, versions } = groups!
    const cells = toCells(text)
    return { line, patch, worded: versions ?? head.filter((_, index) => cells[index] === mark).join(), text }
  })
}

/** The newest Kubernetes of a line is the last one for which a release up to this line is the first. */
function firstReleases(part: string, { lines = [] }: RangeSource): WordedRange[] {
  const [head, firsts] = [...part.matchAll(/^\|.*\d.*$/gm)].map(([row]) => row.match(/\d+\.[\d.]+/g)!)
  return [...firsts!, ...lines].flatMap((release) => {
    const last = firsts!.findLastIndex((first) => compareLines(first, release) <= 0)
    const [line, patch] = [toMinor(release)!, release.split('.')[2]]
    return last < 0 ? [] : [{ line, patch, worded: `-${head![last]}`, text: part }]
  })
}

const version = String.raw`v?1\.(\d{1,2})(?:\.\d+|\.x)?`
const between = String.raw`(?:[-,&|~\u2013\u2014\u2192]|and|to|through)`
const range = new RegExp(
  `^-?${version}(?:(?:(?: ?${between})+ ?| )${version})*(?: ?\\+|-latest| or (?:above|higher|later|newer))?$`,
)

const toPlain = (worded: string) =>
  worded
    .replaceAll(/[`*"'\\]|kubernetes /gi, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Reads `1.33 → 1.36`, `v1.31, v1.30`, `1.18-latest`, and `-1.36` for an open beginning. Undefined for a list with a gap. */
function toSpan(worded: string) {
  const text = toPlain(worded)
  const minors = [...text.matchAll(new RegExp(version, 'g'))].map(([, minor]) => Number(minor))
  const [min, max] = [Math.min(...minors), Math.max(...minors)]
  if (/^[^-|~\u2013-\u2192t]*$/.test(text) && max - min >= new Set(minors).size) return undefined
  return {
    kubernetes_min: text.startsWith('-') ? null : `1.${min}`,
    kubernetes_max: /\+$|[a-z]{2}$/.test(text) ? null : `1.${max}`,
  }
}
