import { createHash } from 'node:crypto'

const words = 'Written by relt agent install, sha256'

/** Adds a last line, a comment of the format, by which `isUnchanged` knows the content. */
export function mark(content: string): string {
  const [open, close] = content.startsWith('<?xml') ? ['<!-- ', ' -->'] : ['# ', '']
  return `${content}${open}${words} ${toHash(content)}${close}\n`
}

/** Whether the text is what `mark` returned once, without a change. */
export function isUnchanged(text: string): boolean {
  const [whole = '', hash] =
    /^(?:# |<!-- )Written by relt agent install, sha256 ([0-9a-f]{64})(?: -->)?\n$/m.exec(text) ?? []
  return text.endsWith(whole) && hash !== undefined && hash === toHash(text.slice(0, -whole.length))
}

const toHash = (content: string): string => createHash('sha256').update(content).digest('hex')
