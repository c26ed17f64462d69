import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** Breaks lines that are wider between words; the rest goes on as far in as the line began. */
export function foldTo(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => foldLine(line, width))
    .join('\n')
}

/** A folded command does not work when it is copied. */
const command = /^ *\$ /

function foldLine(line: string, width: number): string {
  if (stringWidth(line) <= width || command.test(line)) return line
  const lead = /^ *(?:[-*] )?/.exec(line)![0].slice(0, width / 2)
  const folded = wrapAnsi(line.slice(lead.length).trimStart(), width - lead.length, { hard: true })
  return lead + folded.replaceAll('\n', `\n${' '.repeat(lead.length)}`)
}
