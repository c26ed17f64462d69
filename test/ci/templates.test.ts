import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { createProgram } from '../../src/cli/program/root.ts'
import { schemas } from './template-schemas.ts'

// GitHub's parser imports JSON as bundlers do; Node wants to be told that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')

const root = fileURLToPath(new URL('../../templates/ci/', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').replace('//', '/').slice(root.length))

function parseYaml(file: string): unknown {
  const document = parseDocument(read(file))
  expect([...document.errors, ...document.warnings]).toEqual([])
  return document.toJS()
}

test('there is a template for each of these', () => {
  expect(files.sort()).toEqual(['Jenkinsfile', 'azure-pipelines.yml', 'github/workflow.yml', 'gitlab.yml', 'relt.yaml'])
})

test('GitHub reads the workflow', () => {
  const toErrors = (content: string) =>
    parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
      .context.errors.getErrors()
      .map(String)
  expect(toErrors(read('github/workflow.yml'))).toEqual([])
  expect(toErrors('on: push\njobs: {a: {steps: 7}}\n')).not.toEqual([])
})

test.each(Object.entries(schemas))('%s has the shape of its system', (file, schema) => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)
  validate(parseYaml(file))
  expect(validate.errors).toBeNull()
})

test('the Jenkinsfile is one declarative pipeline with its brackets closed', () => {
  const text = read('Jenkinsfile')
    .replace(/^\/\/.*$/gm, '')
    .replace(/'[^'\n]*'/g, "''")
  const open: string[] = []
  for (const sign of text.match(/[{}()]/g) ?? []) {
    if (sign === '{' || sign === '(') open.push(sign)
    else expect(open.pop()).toBe(sign === '}' ? '{' : '(')
  }
  expect(open).toEqual([])
  expect(text.trim()).toMatch(/^pipeline \{[\s\S]*\}$/)
  const sections = [...text.matchAll(/^ {2}(\w+) \{/gm)].map(([, name]) => name)
  expect(sections).toEqual(['agent', 'options', 'environment', 'stages', 'post'])
})

const scripts = files.flatMap((file) =>
  [
    ...read(file).matchAll(
      /^(?![ ]*(?:#|\/\/)).*?(?<![\w.-])(relt (?:ci|gate (?:check|audit)|reports|scan)\b[^'\n]*)/gm,
    ),
    // Redirections are the shell's, and lists of options are filled by it.
  ].map(
    ([, line]) =>
      [
        file,
        line!
          .replace(/ (?:>|\|\|).*$/, '')
          .replace(/ "\$\{options\[@\]\}"/, '')
          .trim(),
      ] as const,
  ),
)

test('each template calls relt', () => {
  expect([...new Set(scripts.map(([file]) => file)), 'relt.yaml'].sort()).toEqual(files)
})

test.each(scripts)('%s: %s is a call that relt understands', async (_, line) => {
  const context = {
    env: {},
    stdin: {},
    stdout: {},
    stderr: {},
    settings: async () => ({}),
    select: () => {},
  } as unknown as Parameters<typeof createProgram>[0]
  const program = await createProgram(context, [], { loadAll: true })
  const called: string[] = []
  const watch = (command: typeof program, words: string) => {
    for (const child of command.commands) watch(child, `${words} ${child.name()}`)
    if (command.commands.length === 0) command.action(() => void called.push(words))
  }
  watch(program, 'relt')
  const argv = line.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''))
  await program.parseAsync(argv.slice(1), { from: 'user' })
  expect(called).toHaveLength(1)
  expect(line.startsWith(called[0]!)).toBe(true)
})

test('nothing that a pipeline fills in stands in a script', () => {
  for (const [, line] of scripts) expect(line).not.toMatch(/\$\{\{|\$\(/)
})
