import { beforeAll, describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { folderOfFile } from '../../helpers/output.ts'
import { makeSmallStore } from '../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallStore(home))

const run = (argv: string[], columns?: number) =>
  runCli(argv, { home, env: { NO_COLOR: '1' }, ...(columns && { columns }) })

const list = ['projects', 'list', '--limit', '2']

describe('a list', () => {
  test('is a table, whose times are relative on a terminal', async () => {
    expect((await run(list, 80)).stdout).toMatchInlineSnapshot(`
      "ID  NAME            LATEST  PUBLISHED   DESCRIPTION
       1  Argo CD         v3.5.1  1 week ago  Keeps clusters in the state that a Git…
       2  Argo Workflows  -       -           Runs workflows of containers as…
      "
    `)
    expect((await run(list)).stdout).toMatchInlineSnapshot(`
      "ID  NAME            LATEST  PUBLISHED            STATUS     DESCRIPTION
       1  Argo CD         v3.5.1  2026-08-20 00:00:00  graduated  Keeps clusters in the state that a Git repository declares
       2  Argo Workflows  -       -                    graduated  Runs workflows of containers as Kubernetes resources
      "
    `)
  })

  test('-o json and --json are the answer of the contract', async () => {
    const json = await run([...list, '-o', 'json'])
    expect(json.stderr).toBe('')
    expect(JSON.parse(json.stdout)).toMatchObject({ page: 1, per_page: 2, total: 5, total_pages: 3 })
    expect(await run([...list, '--json'])).toEqual(json)
    expect(await run([...list, '--json', '--output=json'])).toEqual(json)
  })

  test('-o yaml says the same as JSON', async () => {
    const { parse } = await import('yaml')
    const { stdout } = await run([...list, '-o', 'yaml'])
    expect(stdout).toMatch(/^page: 1\nper_page: 2\n/)
    expect(parse(stdout)).toEqual(JSON.parse((await run([...list, '--json'])).stdout))
  })

  test.each([[undefined], [40]])('-o csv has whole cells and exact times, at %s columns', async (columns) => {
    const { stdout, stderr } = await run([...list, '-o', 'csv'], columns)
    expect(stdout).toMatchInlineSnapshot(`
      "id,name,latest,published,status,description
      1,Argo CD,v3.5.1,2026-08-20 00:00:00,graduated,Keeps clusters in the state that a Git repository declares
      2,Argo Workflows,,,graduated,Runs workflows of containers as Kubernetes resources
      "
    `)
    expect(stderr).toContain('Showing 2 of 5. Next: --page 2')
  })

  test.each([[undefined], [40]])('-o markdown has whole cells and exact times, at %s columns', async (columns) => {
    expect((await run([...list, '-o', 'markdown'], columns)).stdout).toMatchInlineSnapshot(`
      "| ID | Name | Latest | Published | Status | Description |
      | ---: | --- | --- | --- | --- | --- |
      | 1 | Argo CD | v3.5.1 | 2026-08-20 00:00:00 | graduated | Keeps clusters in the state that a Git repository declares |
      | 2 | Argo Workflows |  |  | graduated | Runs workflows of containers as Kubernetes resources |
      "
    `)
  })

  test('without rows is a line of names in CSV, and a message', async () => {
    const none = await run(['projects', 'search', 'nothing-like-it', '-o', 'csv'])
    expect(none).toEqual({
      code: 0,
      stdout: 'id,name,latest,published,status,description\n',
      stderr: 'No project matches "nothing-like-it".\n',
    })
  })
})

describe('one thing', () => {
  test.each([
    ['csv', 'field,value\nsuccess,true\ntotal_projects,5\n'],
    ['markdown', '| Field | Value |\n| --- | --- |\n| success | true |\n| total\\_projects | 5 |\n'],
    ['yaml', 'success: true\ntotal_projects: 5\n'],
  ])('-o %s shows its fields', async (format, beginning) => {
    const { code, stdout } = await run(['stats', '-o', format])
    expect(code).toBe(0)
    expect(stdout.slice(0, beginning.length)).toBe(beginning)
  })

  test('is named by its path where it holds others', async () => {
    const { stdout } = await run(['reports', 'show', '-o', 'csv'])
    expect(stdout).toContain('\nfindings.total,5\n')
    expect(stdout).toContain('\nartifacts.helm_charts,1\n')
  })
})

test.each([
  ['reports compare', 'change,severity,previous_severity,check,namespace,resource,message,count\nregressed,'],
  [
    'reports trends',
    'cluster,environment,scanner,scanned,score,findings,failed_checks\nshop-prod,prod,kubebuddy,2026-08-12 06:00:00,61,',
  ],
  [
    'reports freshness',
    'status,type,artifact,runs,same_line,newest,releases_behind,days_behind,facts_of,reason,at_least,end_of_life,',
  ],
  ['reports list', 'run,scanned,score,failed_checks,checks,findings,critical,kubernetes,images\ncrun_'],
])('%s has rows as CSV', async (verb, beginning) => {
  const { stdout } = await run([...verb.split(' '), '-o', 'csv'], 80)
  expect(stdout.slice(0, beginning.length)).toBe(beginning)
})

describe('--jq', () => {
  test.each([
    ['.total_projects', '5\n'],
    ['.catalog_date', '2099-01-01\n'],
    ['.total_projects, .nothing, "a\\nb", [1, "x"]', '5\nnull\na\nb\n[1,"x"]\n'],
    ['"ends in space \\n"', 'ends in space \n\n'],
    ['empty', ''],
    ['-1', '-1\n'],
    ['100000000000000000001', '100000000000000000001\n'],
    ['env | has("RELT_HOME")', 'false\n'],
  ])('%s', async (program, stdout) => {
    expect(await run(['stats', '--jq', program])).toEqual({ code: 0, stdout, stderr: '' })
  })

  test.each([
    ['.a |', 'error: jq: syntax error, unexpected end of file at <top-level>, line 1, column 4:\n'],
    ['.success.x', 'error: jq: Cannot index boolean with string ("x")\n'],
    ['.total_projects, error("no more")', 'error: jq: no more\n'],
    ['input', 'error: jq: break\n'],
    ['"a" | halt_error', 'error: jq: a\n'],
  ])('%s fails, and prints nothing', async (program, stderr) => {
    expect(await run(['stats', '--jq', program])).toEqual({ code: 2, stdout: '', stderr })
  })

  test('what the program says aside is a message', async () => {
    const { stdout, stderr } = await run(['stats', '--jq', '.total_projects | debug'])
    expect({ stdout, stderr }).toEqual({ stdout: '5\n', stderr: '["DEBUG:",5]\n' })
  })

  test('takes a long answer', async () => {
    const text = 'x'.repeat(3_000_000)
    const { runJq } = await import('../../../src/cli/output/jq.ts')
    const { createIo } = await import('../../../src/cli/output/io.ts')
    const io = createIo({ env: {}, stdin: {}, stdout: {}, stderr: {} } as unknown as Parameters<typeof createIo>[0])
    expect(await runJq(io, { text }, '.text | length')).toBe('3000000\n')
  })

  test('fails as JSON where JSON is asked for', async () => {
    const { code, stderr } = await run(['stats', '--json', '--jq', '.success.x'])
    expect({ code, error: JSON.parse(stderr).error }).toMatchObject({
      code: 2,
      error: { code: 'relt_usage', message: 'jq: Cannot index boolean with string ("x")', request_id: null },
    })
  })
})

describe('wrong use', () => {
  test.each([
    [['-o', 'xml'], "cannot be 'xml'. Use table, wide, json, yaml, csv, markdown."],
    [['--json', '-o', 'csv'], '--json and --output csv cannot be combined.'],
    [['--jq', '.', '-o', 'table'], '--jq and --output table cannot be combined.'],
  ])('%j', async (options, message) => {
    const { code, stdout, stderr } = await run(['stats', ...options])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test.each([
    ['-o', 'json'],
    ['-ojson', '--quiet'],
    ['--output', 'json'],
    ['--output=json', '--quiet'],
  ])('with %s %s errors are JSON', async (...options) => {
    const { code, stdout, stderr } = await run(['projects', 'show', '999', ...options])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'rest_no_route', message: 'No project with id 999.', hint: null, request_id: null },
    })
  })

  test('the value of an option is no command', async () => {
    expect((await run(['--jq', 'reports', 'stats'])).stderr).toContain('jq: reports/0 is not defined')
    expect((await run(['-o', 'json'])).stdout).toMatch(/^Usage: relt /)
  })
})

test('what changes something says so on standard error, and its answer is data', async () => {
  const copy = temporaryFolder()
  const [id] = await makeSmallStore(copy)
  const deleted = await runCli(['reports', 'delete', id!, '--yes', '-o', 'csv'], { home: copy })
  expect(deleted).toMatchObject({ code: 0, stderr: `✓ Deleted ${id}\n` })
  expect(deleted.stdout).toMatch(/^field,value\n/)
})

test('--verbose tells of each call, without what was sent', async () => {
  const { stdout, stderr } = await run(['projects', 'search', 'argo', '--json', '--verbose'])
  expect(JSON.parse(stdout).total).toBe(2)
  expect(stderr).toMatch(/^listProjects: answered after \d+\.\d ms\n$/)
  const failed = await run(['projects', 'show', '999', '--verbose'])
  expect(failed.stderr).toMatch(/^getProject: failed after \d+\.\d ms\nerror: /)
})
