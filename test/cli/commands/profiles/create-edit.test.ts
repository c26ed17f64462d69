import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseYaml, readDocument, writeDocument } from '../../../../src/cli/commands/profiles/document.ts'
import { create as createVerb, edit as editVerb } from '../../../../src/cli/commands/profiles/noun.ts'
import { ReltError } from '../../../../src/errors.ts'
import { anyCharacter } from '../../../helpers/any-character.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { type Step, talk } from '../../../helpers/terminal.ts'

let home = ''
const configs = (argv: string[], stdin?: string) =>
  runCli(['profiles', ...argv], { home, ...(stdin !== undefined && { stdin }) })
const masked = (text: string) => text.replace(/(?<=ccfg_)[0-9a-f]{20}/g, (id) => '*'.repeat(id.length))
const listed = async () => JSON.parse((await configs(['list', '--settings', '--json'])).stdout).items
beforeEach(() => {
  home = temporaryFolder()
})

test.each([
  [createVerb, ['shop', '--cluster', 'c', '--provider', 'aks'], ['shop', { cluster: 'c', provider: 'aks' }]],
  [
    createVerb,
    ['--set', 'radar.upload=true', 'thresholds.x=', '--set', 'a=b=c', '--notes', 'n'],
    [undefined, { set: ['radar.upload=true', 'thresholds.x=', 'a=b=c'], notes: 'n' }],
  ],
  [createVerb, ['--from', '-'], [undefined, { from: '-' }]],
  [editVerb, ['shop', '--name', 'x', '--from', 'f'], ['shop', { name: 'x', from: 'f' }]],
  [editVerb, [], [undefined, {}]],
])('%# %j', async (declared, argv, expected) => {
  expect(await parse(declared, argv)).toEqual(expected)
})

test.each(['radar.upload', '=x', '.a=1', 'a.=1', '__proto__.x=1', 'a.__proto__=1', 'a b=1'])(
  '"%s" is refused as a setting',
  async (text) => {
    await expect(parse(createVerb, ['x', '--set', text])).rejects.toThrow('Use PATH=VALUE')
  },
)

const noServer = '! The profile has no server, so nothing is uploaded, compared or fetched. Set radar.api_base_url.\n'
const scannedAllTheSame = '! The scanner still scans excluded_namespaces, because output.excludeNamespaces is off.\n'

describe('create', () => {
  test('takes options', async () => {
    const settings = ['radar.upload=true', 'excluded_namespaces=[kube-system, argocd]', 'thresholds.cpu_warning=75']
    const argv = [
      'create',
      'shop',
      '--cluster',
      'shop-01',
      '--provider',
      'aks',
      '--notes',
      'ours',
      '--set',
      ...settings,
    ]
    const { code, stdout, stderr } = await configs(argv)
    expect({ code, stdout, stderr: masked(stderr) }).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Created the profile shop (ccfg_${'*'.repeat(20)})\n${noServer}${scannedAllTheSame}`,
    })
    expect(await listed()).toMatchObject([
      {
        name: 'shop',
        cluster_name: 'shop-01',
        provider: 'aks',
        notes: 'ours',
        settings: {
          radar: { upload: true },
          excluded_namespaces: ['kube-system', 'argocd'],
          thresholds: { cpu_warning: 75 },
        },
      },
    ])
  })

  test('prints', async () => {
    const text = await runCli(['profiles', 'create', 'shop'], { home })
    expect({ ...text, stderr: masked(text.stderr) }).toEqual({
      code: 0,
      stdout: '',
      stderr: '✓ Created the profile shop (ccfg_********************)\n',
    })
    const { stdout } = await runCli(['profiles', 'create', 'other', '--json'], { home })
    expect(JSON.parse(stdout)).toMatchObject({ success: true, name: 'other', cluster_name: 'other' })
  })

  test('refuses a name that another profile has, in any case', async () => {
    await runCli(['profiles', 'create', 'shop'], { home })
    const { code, stderr } = await runCli(['profiles', 'create', 'Shop'], { home })
    expect({ code, stderr: masked(stderr) }).toEqual({
      code: 2,
      stderr:
        'error: A profile named "shop" exists (ccfg_********************).\nhint: Choose another name, or change it: relt profiles edit NAME\n',
    })
    await runCli(['profiles', 'create', 'second'], { home })
    expect((await runCli(['profiles', 'edit', 'second', '--name', 'shop'], { home })).code).toBe(2)
    expect((await runCli(['profiles', 'edit', 'shop', '--name', 'SHOP'], { home })).code).toBe(0)
  })

  test('says which settings no scan uses', async () => {
    const settings = ['radra.environment=prod', 'radar.enviroment=prod', 'radar.environment=prod', 'thresholds.own=5']
    const { code, stderr } = await runCli(['profiles', 'create', 'misspelt', '--set', ...settings], { home })
    expect({ code, stderr: masked(stderr) }).toEqual({
      code: 0,
      stderr: [
        '✓ Created the profile misspelt (ccfg_********************)',
        '! The setting radar.enviroment is unknown: it is stored, but no scan uses it. Did you mean radar.environment?',
        '! The setting radra is unknown: it is stored, but no scan uses it. Did you mean radar?',
        '',
      ].join('\n'),
    })
  })

  test('takes YAML, JSON, and what show printed', async () => {
    await configs(['create', '--from', '-'], 'name: a # ours\nsettings:\n  radar: {upload: true}\n')
    await configs(
      ['create', 'b', '--from', '-', '--set', 'radar.compare=true'],
      '{"settings":{"radar":{"upload":true}}}',
    )
    const shown = await configs(['show', 'b', '--json'])
    expect(await configs(['create', 'c', '--from', '-'], shown.stdout)).toMatchObject({ code: 0 })
    const asYaml = await configs(['show', 'c'])
    expect(await configs(['create', 'd', '--from', '-'], asYaml.stdout)).toMatchObject({ code: 0 })
    expect(await listed()).toMatchObject([
      { name: 'a', cluster_name: 'a', settings: { radar: { upload: true } } },
      { name: 'b', settings: { radar: { upload: true, compare: true } } },
      { name: 'c', cluster_name: 'b', settings: { radar: { upload: true, compare: true } } },
      { name: 'd', cluster_name: 'b', settings: { radar: { upload: true, compare: true } } },
    ])
  })

  test.each([
    ['a text', 'just text', 'Standard input is not a profile'],
    ['nothing', '', 'Standard input is not a profile'],
    ['a list', '- name: x', 'Standard input is not a profile'],
    ['a misspelt member', 'name: x\nsetings: {}', 'unknown members: setings'],
    ['broken YAML', 'name: [x', 'Standard input is not valid YAML'],
    ['a key twice', 'name: x\nname: y', 'Standard input is not valid YAML'],
    ['aliases that unfold', `a: &a [x,x,x,x,x,x,x,x,x,x]\n${bomb()}`, 'Standard input is not valid YAML'],
    ['a key that reaches prototypes', 'name: x\nsettings: {radar: {__proto__: {upload: true}}}', '"__proto__"'],
    ['depth', `name: x\nsettings: ${'{a: '.repeat(70)}1${'}'.repeat(70)}`, 'Standard input'],
    ['great depth', `name: x\nsettings: ${'['.repeat(20_000)}`, 'Standard input'],
    ['too much', `name: ${'x'.repeat(1_000_001)}`, 'Standard input is too long'],
    ['a wrong value', 'name: x\nprovider: moon', 'Invalid parameter(s): provider'],
  ])('refuses %s', async (_, stdin, message) => {
    const { code, stdout, stderr } = await configs(['create', '--from', '-'], stdin)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toContain(message)
    expect(await listed()).toEqual([])
  })

  test('refuses a file that is not there, and a setting below a value', async () => {
    expect(await configs(['create', 'x', '--from', '/no/such/file'])).toMatchObject({
      code: 2,
      stderr: 'error: /no/such/file cannot be read: no such file.\n',
    })
    expect(await configs(['create', 'x', '--set', 'radar=1', 'radar.upload=true'])).toMatchObject({
      code: 2,
      stderr: 'error: radar is a value and cannot contain upload.\n',
    })
  })

  test('asks on a terminal only', async () => {
    const steps: Step[] = [
      ['Name of the profile', 'shop\r'],
      ['Name of the cluster', '\r'],
      ['Provider', '\r'],
      ['Upload each report', 'y\r'],
      ['Server URL', 'radar\r'],
      ['Use https://', '\u0015https://r/v1\r'],
      ['Environment', 'test\r'],
    ]
    expect(await talk(['profiles', 'create'], steps, { home })).toMatchObject({ code: 0, left: [] })
    expect(await listed()).toMatchObject([
      {
        name: 'shop',
        cluster_name: 'shop',
        provider: 'kubernetes',
        settings: { radar: { upload: true, compare: true, api_base_url: 'https://r/v1', environment: 'test' } },
      },
    ])
    expect(await configs(['create'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "error: missing required argument 'name', and there is no terminal for a prompt\nhint: Add --help for help.\n",
    })
  })
})

function bomb(): string {
  const letters = [...'bcdefgh']
  return letters.map((letter, i) => `${letter}: &${letter} [${'*'.concat('abcdefgh'[i]!, ',').repeat(9)}]`).join('\n')
}

describe('edit', () => {
  beforeEach(() => configs(['create', 'shop', '--notes', 'ours', '--set', 'radar.upload=true', 'thresholds.cpu=5']))

  test('changes what options name', async () => {
    const { code, stdout, stderr } = await configs([
      'edit',
      'shop',
      '--name',
      'shop-2',
      '--set',
      'thresholds.cpu=',
      'aks.clusterName=x',
    ])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Changed the profile shop-2\n${noServer}`,
    })
    expect(await listed()).toMatchObject([{ name: 'shop-2', notes: 'ours' }])
    expect((await listed())[0].settings).toEqual({
      radar: { upload: true },
      thresholds: {},
      aks: { clusterName: 'x' },
    })
  })

  test('takes a file', async () => {
    expect(await configs(['edit', 'shop', '--from', '-'], 'notes: theirs')).toMatchObject({ code: 0 })
    expect(await listed()).toMatchObject([{ notes: 'theirs', settings: { radar: { upload: true } } }])
  })

  test('prints', async () => {
    expect(masked(await printAll(['profiles', 'edit', 'shop', '--notes', 'new'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns
      --- stderr
      ✓ Changed the profile shop
      ! The profile has no server, so nothing is uploaded, compared or fetched. Set
      radar.api_base_url.
      === 120 columns, pipe
      --- stderr
      ✓ Changed the profile shop
      ! The profile has no server, so nothing is uploaded, compared or fetched. Set radar.api_base_url.
      === --json
      {"success":true,"config_id":"ccfg_********************","name":"shop","cluster_name":"shop","provider":"kubernetes","notes":"new","settings":{"thresholds":{"cpu":5},"radar":{"upload":true}},"created_at":"2026-09-01 12:00:00","updated_at":"2026-09-01 12:00:00"}
      "
    `)
  })

  test('without options is refused', async () => {
    expect(await configs(['edit', 'shop'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: Nothing to change.\nhint: Add --set PATH=VALUE or --from FILE.\n',
    })
  })
})

describe('a document', () => {
  const settings = fc.dictionary(
    fc.stringMatching(/^[a-z]\w{0,8}$/),
    fc.oneof(fc.boolean(), fc.integer(), fc.string(), fc.array(fc.string()), fc.constant(null)),
  )

  test('says what the profile says', async () => {
    const profile = fc.record({ name: fc.string(), cluster_name: fc.string(), notes: fc.string(), settings })
    await fc.assert(
      fc.property(profile, (given) => {
        const provider = 'aks' as const
        const times = { created_at: '2026-09-01 12:00:00', updated_at: '2026-09-01 12:00:00' }
        const text = writeDocument({ ...given, config_id: 'ccfg_1', provider, ...times })
        expect(readDocument(text, 'It')).toEqual(JSON.parse(JSON.stringify({ ...given, provider })))
      }),
    )
  })

  test('whatever is read is JSON, or refused', async () => {
    await fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => `${text}\n# c`),
          fc.string({ unit: anyCharacter }),
        ),
        (text) => {
          try {
            const value = parseYaml(text, 'It')
            expect(JSON.parse(JSON.stringify(value))).toEqual(value)
          } catch (error) {
            expect(error).toBeInstanceOf(ReltError)
          }
        },
      ),
    )
  })
})
