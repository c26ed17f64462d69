import { expect, test } from 'vitest'
import { createArchivedCollector } from '../../src/collectors/archived/index.ts'
import { openGithub } from './github-server.ts'
import { openHttp } from './http.ts'
import { sendJson } from './local-server.ts'

const toUrl = (name: string) => ({ url: `https://github.com/${name}` })

async function open(names: string[]) {
  const repositories = names.map((name, index) => [name, index === 0 ? { archivedAt: '2026-09-01T00:00:00Z' } : {}])
  const github = await openGithub(Object.fromEntries(repositories))
  const ask = createArchivedCollector(
    { webUrl: github.url, apiUrl: github.url, token: github.token },
    openHttp({ retryPausesMs: [] }),
  )
  return { github, ask: async (places: Parameters<typeof ask>[0]) => [...(await ask(places)).values()] }
}

test('asks for twenty repositories at once, and a missing one is absent alone', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `o/r${index}`)
  const { github, ask } = await open(names)
  delete github.repositories['o/r7']
  const states = await ask([...names.map(toUrl), { url: 'https://github.com/o' }])
  expect(states).toHaveLength(25)
  expect(states[0]).toEqual({ kind: 'archived', since: Date.UTC(2026, 8, 1) / 1000 })
  expect(states.map(({ kind }) => kind)).toEqual([
    'archived',
    ...Array(6).fill('open'),
    'absent',
    ...Array(17).fill('open'),
  ])
  expect(github.asked.map(({ path }) => path)).toEqual(['/graphql', '/graphql'])
})

test('asks nobody without a token', async () => {
  const { github } = await open(['o/r'])
  const ask = createArchivedCollector({ webUrl: github.url, apiUrl: github.url, token: undefined }, openHttp())
  expect(await ask([toUrl('o/r')])).toEqual(new Map())
  expect(github.asked).toEqual([])
})

test('asks with the token of a project apart', async () => {
  const { github, ask } = await open(['o/a', 'o/b'])
  const states = await ask([toUrl('o/a'), { ...toUrl('o/b'), credential: { secret: 'other' } }])
  expect(states.map(({ kind }) => kind)).toEqual(['archived', 'unreachable'])
  expect(github.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer ghp_hunter2', 'Bearer other'])
})

test('an error of GraphQL spoils its own repository alone', async () => {
  const { github, ask } = await open(['o/a', 'o/b', 'o/c'])
  github.fault = (_, response) => {
    const open = { isArchived: false, archivedAt: null }
    sendJson(response, {
      data: { p0: open, p1: open, p2: { isArchived: 'no' } },
      errors: [{ message: 'Something went wrong', path: ['p0', 'isArchived'] }],
    })
    return true
  }
  const states = await ask(['o/a', 'o/b', 'o/c'].map(toUrl))
  expect(states.map(({ kind }) => kind)).toEqual(['unreachable', 'open', 'unreachable'])
})

test('a limit and a broken answer are those of all', async () => {
  const { github, ask } = await open(['o/a', 'o/b'])
  github.left.graphql = 0
  const limited = await ask(['o/a', 'o/b'].map(toUrl))
  expect(limited).toEqual(Array(2).fill({ kind: 'limited', retryAt: expect.any(Number) }))
  github.left = {}
  github.fault = (_, response) => {
    sendJson(response, 'x')
    return true
  }
  const fresh = createArchivedCollector({ webUrl: github.url, apiUrl: github.url, token: github.token }, openHttp())
  expect([...(await fresh(['o/a', 'o/b'].map(toUrl))).values()]).toEqual(
    Array(2).fill({ kind: 'unreachable', reason: expect.any(String) }),
  )
})
