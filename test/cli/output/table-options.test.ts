import { beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../helpers/cli.ts'
import { folderOfFile } from '../../helpers/output.ts'
import { makeSmallStore } from '../../helpers/small-store.ts'

const home = folderOfFile()
let runs: string[] = []
beforeAll(async () => {
  runs = await makeSmallStore(home)
})

const run = (line: string, columns?: number) =>
  runCli(line.split(' '), { home, env: { NO_COLOR: '1' }, ...(columns && { columns }) })

describe('-o wide', () => {
  test('shows every column with whole cells on a narrow terminal', async () => {
    const table = await run('projects list --limit 2', 60)
    const wide = await run('projects list --limit 2 -o wide', 60)
    const description = 'Keeps clusters in the state that a Git repository declares'
    expect(table.stdout).not.toContain(description)
    expect(wide.stdout).toContain(description)
    expect(wide.stdout.split('\n')[0]!.split(/ {2,}/)).toEqual([
      'ID',
      'NAME',
      'LATEST',
      'PUBLISHED',
      'STATUS',
      'DESCRIPTION',
    ])
  })

  test('shows the same at any width', async () => {
    const [narrow, normal] = await Promise.all([run('reports list -o wide', 50), run('reports list -o wide', 200)])
    expect(narrow).toEqual(normal)
  })
})

describe('--sort-by', () => {
  const namesBy = async (column: string) =>
    (await run(`reports list --sort-by ${column} --columns run -o csv --no-headers`)).stdout.trim().split('\n')

  test('sorts numbers as numbers, in both directions', async () => {
    const scores = async (column: string) => {
      const { stdout } = await run(`reports list --sort-by ${column} --columns score -o csv --no-headers`)
      return stdout.trim().split('\n').map(Number)
    }
    const ascending = await scores('score')
    expect(ascending).toHaveLength(3)
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
    expect(await scores('-score')).toEqual(ascending.toReversed())
  })

  test('sorts by exact times, also where the table shows relative ones', async () => {
    expect(await namesBy('scanned')).toEqual(runs)
    expect(await namesBy('-scanned')).toEqual(runs.toReversed())
  })

  test.each(['published', '-published'])('puts rows without a value last: %s', async (column) => {
    const { stdout } = await run(`projects list --sort-by ${column} --columns published -o csv --no-headers`)
    const cells = stdout.slice(0, -1).split('\n')
    expect(cells.some((cell) => cell !== '') && cells.some((cell) => cell === '')).toBe(true)
    expect(cells.findLastIndex((cell) => cell !== '')).toBeLessThan(cells.indexOf(''))
  })

  test('accepts a title in any spelling', async () => {
    const wanted = await namesBy('failed_checks')
    expect(await namesBy('Failed-Checks')).toEqual(wanted)
  })

  test('names the columns if there is no such one', async () => {
    const { code, stdout, stderr } = await run('projects list --sort-by scor')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('error: No column "scor".\nhint: Columns: id, name, latest, published, status, description.\n')
  })

  test('says that it sorts only a page of more', async () => {
    expect((await run('projects list --limit 2 --sort-by name')).stderr).toContain('Only this page is sorted.\n')
    expect((await run('projects list --sort-by name')).stderr).not.toContain('Only this page')
  })

  test('is refused for JSON, before anything is done', async () => {
    const { code, stderr } = await run('projects list --sort-by name --json')
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--sort-by and JSON') })
  })

  test('is ignored with a message where there is no table', async () => {
    const { code, stderr } = await run('stats --sort-by name')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '--sort-by ignored: this is not a table.\n' })
  })
})
