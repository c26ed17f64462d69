import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}.github/${file}`, 'utf8')

interface Field {
  type: string
  id?: string
  attributes: { label?: string; value?: string; options?: string[] }
}

const forms = globSync('*.yml', { cwd: `${root}.github/ISSUE_TEMPLATE`, exclude: ['config.yml'] })

test('there is a form for each kind of issue, and no blank one', () => {
  expect(forms.sort()).toEqual(['bug.yml', 'feature.yml', 'wrong-answer.yml'])
  expect(parse(read('ISSUE_TEMPLATE/config.yml'))).toEqual({ blank_issues_enabled: false })
})

describe.each(forms)('the form %s', (file) => {
  const { name, description, labels, body } = parse(read(`ISSUE_TEMPLATE/${file}`))
  const fields: Field[] = body

  test('has what GitHub requires', () => {
    expect([typeof name, typeof description]).toEqual(['string', 'string'])
    for (const { type, id, attributes } of fields) {
      expect(['markdown', 'textarea', 'dropdown']).toContain(type)
      if (type === 'markdown') expect(attributes.value).toBeTruthy()
      else expect([id, attributes.label]).toEqual([expect.stringMatching(/^[a-z-]+$/), expect.stringMatching(/\S/)])
      if (type === 'dropdown') expect(new Set(attributes.options).size).toBeGreaterThan(1)
    }
    const ids = fields.flatMap(({ id }) => id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('uses labels that every repository has', () => {
    expect(['bug', 'enhancement']).toEqual(expect.arrayContaining(labels))
  })
})

test('every path of CODEOWNERS exists', () => {
  const paths = read('CODEOWNERS').match(/^\/\S+/gm)!
  expect(paths.filter((path) => !existsSync(root + path.slice(1)))).toEqual([])
})

test('updates of packages and actions come from their usual registries', () => {
  const { registries, updates } = parse(read('dependabot.yml'))
  expect(registries).toBeUndefined()
  expect(updates.map((update: Record<string, string>) => update['package-ecosystem'])).toEqual([
    'npm',
    'github-actions',
  ])
})
