import { exitCodes } from '../src/cli/program/exit-codes.ts'
import { version } from '../src/version.ts'
import { type CommandDocs, commandTree } from './command-tree.ts'

/** File name → page in man(7), one for the program and one for each noun with its verbs. */
export async function manPages(): Promise<Map<string, string>> {
  const [program, ...commands] = await commandTree()
  const nouns = commands.filter(({ name }) => name.split(' ').length === 2)
  const pages = new Map([['relt.1', page(program!, nouns)]])
  for (const noun of nouns) {
    const verbs = commands.filter(({ name }) => name.startsWith(`${noun.name} `))
    pages.set(`${noun.name.replaceAll(' ', '-')}.1`, page(noun, verbs))
  }
  return pages
}

function page(command: CommandDocs, below: CommandDocs[]): string {
  const title = command.name.replaceAll(' ', '-')
  const lines = [
    `.TH ${title.toUpperCase()} 1 "" "relt ${version}" "relt"`,
    '.SH NAME',
    `${roff(title)} \\- ${roff(command.summary)}`,
    '.SH SYNOPSIS',
    `.B ${roff(command.usage)}`,
    '.SH DESCRIPTION',
    roff(`${command.summary}.`),
    ...body(command),
    ...(below.length > 0
      ? [
          '.SH COMMANDS',
          ...below.flatMap((each) => [`.SS "${roff(each.usage)}"`, roff(`${each.summary}.`), ...body(each)]),
        ]
      : []),
    '.SH EXIT STATUS',
    ...Object.entries(exitCodes).flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(meaning)]),
  ]
  return `${lines.join('\n')}\n`
}

function body({ arguments: args, options, examples }: CommandDocs): string[] {
  return [
    ...[...args, ...options].flatMap(({ term, description }) => ['.TP', `.B ${roff(term)}`, roff(description)]),
    ...(examples.length > 0 ? ['.PP', 'Examples:', '.nf', ...examples.map((each) => `  ${roff(each)}`), '.fi'] : []),
  ]
}

/** A backslash steers roff, so does a dot or a quote that begins a line; hyphens are to be typed as they are. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(\s*)([.'])/, '$1\\&$2')
    .replaceAll('"', '\\(dq')
}
