/** A list of all commands for people who read it in a browser; a release has it as cli.md. */
import { exitCodes } from '../src/cli/program/exit-codes.ts'
import { type CommandDocs, commandTree } from './command-tree.ts'

export async function cliDocs(): Promise<string> {
  const [program, ...commands] = await commandTree()
  return `# The commands

\`relt COMMAND --help\` shows the same.

Options of every command:

${toList(program!.options)}

Every command ends with one of these codes:

| Exit code | Meaning |
| --- | --- |
${Object.entries(exitCodes)
  .map(([code, meaning]) => `| ${code} | ${meaning} |`)
  .join('\n')}

${commands.map(section).join('\n')}`
}

function section({ name, summary, usage, arguments: args, options, examples, verbs }: CommandDocs): string {
  const level = '#'.repeat(name.split(' ').length)
  const parts = [
    `${level} ${name}`,
    `${summary}.`,
    ...(verbs.length > 0 ? [`Verbs: ${verbs.map((verb) => `\`${verb}\``).join(', ')}.`] : [fenced('', usage)]),
    ...(args.length + options.length > 0 ? [toList([...args, ...options])] : []),
    ...(examples.length > 0 ? [fenced('sh', examples.join('\n'))] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

const fence = '```'

function fenced(language: string, text: string): string {
  return `${fence}${language}\n${text}\n${fence}`
}

function toList(terms: { term: string; description: string }[]): string {
  return terms.map(({ term, description }) => `- \`${term}\`: ${escaped(description)}`).join('\n')
}

/** What Markdown would take for a tag. */
function escaped(text: string): string {
  return text.replaceAll('<', '\\<')
}
