import { Document, isScalar, parse, visit } from 'yaml'
import type { ExportResult } from './export.ts'

/** Matches characters that need an escape in a file or on a terminal. */
const unsafe = /[^\n\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

/** YAML that `readWanted` can read. */
export function writeWanted({ wanted, policy = '', variables }: ExportResult) {
  // The policy's text is compared verbatim, including comments.
  const section = policy.search(unsafe) < 0 ? policy : written(parse(policy))
  return `${toHeader(variables)}${written(wanted)}${section}`
}

function written(value: unknown) {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && node.value.search(unsafe) >= 0) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true }).replace(unsafe, escapeLetter)
}

function toHeader(variables: string[]) {
  const lines = ['What is there, for: relt apply']
  if (variables.length > 0) lines.push('Webhooks are secrets. To apply this, set these variables:')
  return [...lines, ...variables.map((name) => `  ${name}`)].map((line) => `# ${line}\n`).join('')
}

/** Only double-quoted scalars contain such characters. */
function escapeLetter(character: string) {
  const code = character.codePointAt(0)!.toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}
