import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** Wraps long lines between words, with the indentation of the line. */
export function foldTo(text: string, width: number) {
  return text
    .split('\n')
    .map((line) => foldLine(line, width))
    .join('\n')
}

/** A wrapped command would not work when copied. */
const command = /^ *\$ /

function foldLine(line: string, width: number) {
  if (stringWidth(line) <= width || command.test(line)) return line
  const lead = /^ *(?:[-*] )?/.exec(line)![0].slice(0, width / 2)
  const folded = wrapAnsi(line.slice(lead.length).trimStart(), width - lead.length, { hard: true })
  return lead + folded.replaceAll('\n', `\n${' '.repeat(lead.length)}`)
}
