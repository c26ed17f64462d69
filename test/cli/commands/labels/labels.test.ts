import { beforeEach, describe, expect, test } from 'vitest'
import {
  attach as attachVerb,
  create as createVerb,
  remove as deleteVerb,
  detach as detachVerb,
  edit as editVerb,
  list as listVerb,
} from '../../../../src/cli/commands/labels/noun.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { talk } from '../../../helpers/terminal.ts'

let home = ''
const labels = (line: string) => runCli(['labels', ...line.split(' ')], { home })
const listed = async () => JSON.parse((await labels('list --json')).stdout).labels
beforeEach(async () => {
  home = temporaryFolder()
  await makeSmallCatalog(home)
})

test.each([
  ['list', listVerb, [], []],
  ['create', createVerb, ['edge', '--color', '1f6feb'], ['edge', { color: '#1f6feb' }]],
  ['create', createVerb, ['--color=#1F6FEB'], [undefined, { color: '#1F6FEB' }]],
  ['create', createVerb, ['edge'], ['edge', {}]],
  ['edit', editVerb, ['3', '--name', 'a b', '--color', '000000'], ['3', { name: 'a b', color: '#000000' }]],
  ['delete', deleteVerb, ['edge', '-y'], ['edge', { yes: true }]],
  ['delete', deleteVerb, [], [undefined, {}]],
  ['attach', attachVerb, ['edge', 'nginx', '1'], ['edge', ['nginx', '1']]],
  ['attach', attachVerb, [], [undefined, []]],
  ['detach', detachVerb, ['edge', 'nginx'], ['edge', ['nginx']]],
])('%s is given %o', async (_, declared, argv, expected) => {
  expect(await parse(declared, argv)).toEqual(expected)
})

test.each(['red', '#12345', '1234567', '#12345g'])('"%s" is refused as a color', async (color) => {
  await expect(parse(createVerb, ['x', '--color', color])).rejects.toThrow('Use a color such as 1f6feb.')
})

describe('list', () => {
  test('prints the labels by name', async () => {
    await labels('create network --color 1f6feb')
    await labels('create Edge')
    await runCli(['subs', 'add', 'nginx', 'argo-cd'], { home })
    await labels('attach edge nginx argo-cd')
    expect(await printAll(['labels', 'list'], home)).toMatchInlineSnapshot(`
      "
      === 80 columns, 120 columns
      ID  LABEL    COLOR      SUBSCRIPTIONS
       2  Edge     ■ #6e7781              2
       1  network  ■ #1f6feb              0
      === pipe
      ID  LABEL    COLOR    SUBSCRIPTIONS
       2  Edge     #6e7781              2
       1  network  #1f6feb              0
      === --json
      {"labels":[{"id":2,"label_name":"Edge","label_color":"#6e7781","subscription_count":2},{"id":1,"label_name":"network","label_color":"#1f6feb","subscription_count":0}]}
      "
    `)
  })

  test('shows each colour where there are colours', async () => {
    await labels('create network --color 1f6feb')
    const { stdout } = await runCli(['labels', 'list'], { home, columns: 80 })
    expect(stdout).toContain('\u001b[38;5;27m■ \u001b[39m#1f6feb')
  })

  test('says that there is none', async () => {
    expect(await labels('list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No labels yet. Create one: relt labels create NAME\n',
    })
  })
})

describe('create', () => {
  test('makes a label, grey unless it is told', async () => {
    expect(await labels('create edge')).toEqual({ code: 0, stdout: '', stderr: '✓ Created the label edge (1)\n' })
    expect(await listed()).toEqual([{ id: 1, label_name: 'edge', label_color: '#6e7781', subscription_count: 0 }])
    expect(await labels('create network --no-color --color 1f6feb --json')).toEqual({
      code: 0,
      stdout: '{"success":true,"label_id":2}\n',
      stderr: '',
    })
  })

  test('refuses a name that is taken', async () => {
    await labels('create edge')
    expect(await labels('create EDGE')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: Another label is named edge.\n',
    })
  })

  test('asks for the name on a terminal only', async () => {
    const asked = await talk(['labels', 'create'], [['Name', 'edge\r']], { home })
    expect(asked).toMatchObject({ code: 0, left: [], said: '✓ Created the label edge (1)\n' })
    expect(await labels('create')).toMatchObject({
      code: 2,
      stderr:
        "error: missing required argument 'name', and there is no terminal for a prompt\nhint: Add --help for help.\n",
    })
  })
})

describe('edit', () => {
  test('changes what is named', async () => {
    await labels('create edge --color 1f6feb')
    expect(await labels('edit EDGE --name core')).toEqual({
      code: 0,
      stdout: '',
      stderr: '✓ Changed the label edge: now core, #1f6feb\n',
    })
    expect(await labels('edit 1 --color 000000 --json')).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
    expect(await listed()).toMatchObject([{ label_name: 'core', label_color: '#000000' }])
  })

  test('of nothing, or of no label, is refused', async () => {
    expect(await labels('edit edge')).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing') })
    expect(await labels('edit edge --name x')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: No label named "edge".\nhint: List them: relt labels list\n',
    })
  })
})

describe('delete', () => {
  test('needs --yes where nobody can be asked', async () => {
    await labels('create edge')
    expect(await labels('delete edge')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: This needs a confirmation, because it cannot be undone.\nhint: Add --yes to confirm.\n',
    })
    expect(await listed()).toHaveLength(1)
    expect(await labels('delete edge --yes')).toEqual({ code: 0, stdout: '', stderr: '✓ Deleted the label edge\n' })
    expect(await listed()).toEqual([])
  })

  test('with --json answers with success', async () => {
    await labels('create edge')
    expect(await labels('delete 1 -y --json')).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
  })

  test('takes one that is chosen', async () => {
    await labels('create edge')
    await labels('create core')
    const chosen = await talk(
      ['labels', 'delete', '--yes'],
      [
        ['Which label?', 'CO'],
        ['#6e7781', '\r'],
      ],
      { home },
    )
    expect(chosen).toMatchObject({ code: 0, left: [], said: '✓ Deleted the label core\n' })
    expect(await listed()).toMatchObject([{ label_name: 'edge' }])
  })
})

describe('attach and detach', () => {
  beforeEach(async () => {
    await labels('create edge')
    await runCli(['subs', 'add', 'nginx', 'argo-cd'], { home })
  })

  test('twice with the same result', async () => {
    expect(await printAll(['labels', 'attach', 'edge', 'nginx'], home)).toMatchInlineSnapshot(`
      "
      === 80 columns
      --- stderr
      ✓ NGINX has the label edge
      === 120 columns, pipe
      --- stderr
      ✓ NGINX already has the label edge
      === --json
      {"success":true,"results":[{"product_id":5,"name":"NGINX","subscription_id":1,"label_id":1,"attached":true,"changed":false}]}
      "
    `)
    expect(await listed()).toMatchObject([{ subscription_count: 1 }])
    expect(await printAll(['labels', 'detach', 'edge', 'nginx'], home)).toMatchInlineSnapshot(`
      "
      === 80 columns
      --- stderr
      ✓ NGINX no longer has the label edge
      === 120 columns, pipe
      --- stderr
      ✓ NGINX did not have the label edge
      === --json
      {"success":true,"results":[{"product_id":5,"name":"NGINX","subscription_id":1,"label_id":1,"attached":false,"changed":false}]}
      "
    `)
    expect(await listed()).toMatchObject([{ subscription_count: 0 }])
  })

  test('each project for itself', async () => {
    expect(await labels('attach edge nginx kubernetes 1')).toEqual({
      code: 3,
      stdout: '',
      stderr: `✓ NGINX has the label edge
✓ Argo CD has the label edge
error: 1 of 3 failed.
  kubernetes: You are not subscribed to Kubernetes.
`,
    })
    expect(await listed()).toMatchObject([{ subscription_count: 2 }])
  })

  test('what is not named is chosen', async () => {
    const { code, left, said } = await talk(
      ['labels', 'attach'],
      [
        ['Which label?', '\r'],
        ['Which project? (type to filter)', 'ngi'],
        ['Web server', '\r'],
      ],
      { home },
    )
    expect({ code, left, said }).toEqual({ code: 0, left: [], said: '✓ NGINX has the label edge\n' })
    expect(await labels('detach edge')).toMatchObject({ code: 2, stdout: '' })
  })
})
