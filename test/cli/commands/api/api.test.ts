import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openServerWithUser } from '../../../client/open.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile } from '../../../helpers/output.ts'
import { makeSmallCatalog, smallReports } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

describe.each(['local', 'remote'])('relt api, %s', (where) => {
  async function open() {
    if (where === 'local')
      return (argv: string[], stdin?: string) =>
        runCli(['api', ...argv], { home, ...(stdin !== undefined && { stdin }) })
    const { server, password } = await openServerWithUser()
    const env = { RELT_SERVER: server.url, RELT_USERNAME: 'ada', RELT_PASSWORD: password }
    return (argv: string[], stdin?: string) =>
      runCli(['api', ...argv], { home, env, ...(stdin !== undefined && { stdin }) })
  }

  test('reads with fields in the query, page after page', async () => {
    const run = await open()
    const one = JSON.parse((await run(['get', '/projects?per_page=2', '-f', 'page=2'])).stdout)
    expect(one).toMatchObject({ page: 2, per_page: 2, total: 5, items: [{}, {}] })
    const all = JSON.parse((await run(['GET', 'projects', '-F', 'per_page=2', '--paginate'])).stdout)
    expect(all.items).toHaveLength(5)
    expect(new Set(all.items.map(({ id }: { id: number }) => id)).size).toBe(5)
  })

  test('writes fields, typed and as text, and files', async () => {
    const run = await open()
    const name = `label-${where}`
    const { code } = await run(['POST', '/labels', '-f', `label_name=${name}`, '-f', 'label_color=#000000'])
    expect(code).toBe(0)
    expect(JSON.parse((await run(['GET', '/labels'])).stdout).labels).toMatchObject([{ label_name: name }])
    expect(await run(['POST', '/toggle-sub', '-f', 'product_id=1'])).toMatchObject({ code: 2 })
    const toggled = await run(['POST', '/toggle-sub', '-F', 'product_id=1'])
    expect(JSON.parse(toggled.stdout)).toMatchObject({ subscribed: true })

    const file = join(home, 'body.json')
    writeFileSync(file, JSON.stringify({ environment: 'test', report: smallReports[0] }))
    const uploaded = JSON.parse((await run(['POST', '/cluster-reports', '--input', file])).stdout)
    expect(uploaded).toMatchObject({ success: true })
    const again = await run(
      ['POST', '/cluster-reports', '--input', '-'],
      JSON.stringify({ report: smallReports[0], environment: 'test' }),
    )
    expect(JSON.parse(again.stdout)).toMatchObject({ run_id: uploaded.run_id, duplicate: true })
  })

  test.each([
    [['GET', '/nowhere'], 3],
    [['GET', '/projects/999'], 3],
    [['GET', '/projects', '-f', 'per_page=1000'], 2],
    [['GET', '/stats', '--paginate'], 2],
    [['POST', '/labels', '--paginate'], 2],
    [['PATCH', '/labels'], 2],
    [['POST', '/labels', '-f', 'x'], 2],
    [['POST', '/labels', '-F', 'x={'], 2],
    [['POST', '/labels', '--input', '/no/such'], 2],
    [['POST', '/labels', '--input', '-'], 2],
  ])('%j fails with %i', async (argv, code) => {
    const run = await open()
    const failed = await run(argv)
    expect({ ...failed, stderr: failed.stderr.slice(0, 7) }).toEqual({ code, stdout: '', stderr: 'error: ' })
  })
})

test('a path that leads elsewhere is refused', async () => {
  const { server, password } = await openServerWithUser()
  const env = { RELT_SERVER: server.url, RELT_USERNAME: 'ada', RELT_PASSWORD: password }
  for (const path of ['https://other.example/x', '/../../../healthz', `${server.url}/../v2/x`, `${server.url}x`]) {
    expect(await runCli(['api', 'GET', path], { home, env })).toMatchObject({ code: 2, stdout: '' })
  }
  expect(await runCli(['api', 'GET', `${server.url}/stats`], { home, env })).toMatchObject({ code: 0 })
  const extra = await runCli(['api', 'GET', '/openapi.json'], { home, env })
  expect(JSON.parse(extra.stdout)).toMatchObject({ openapi: '3.1.0' })
})
