import { expect, test } from 'vitest'
import { openOtherServer } from '../client/other-server.ts'
import { runCli } from '../helpers/cli.ts'
import { openRecorder } from './recorder.ts'
import { addAccount, addRuns, inStore, makeHome } from './world.ts'

test.each(['full', 'reduced'] as const)(
  'a server with the %s forms of the interface is synced both ways',
  async (form) => {
    const [home, third] = [await makeHome(), await makeHome()]
    await inStore(home, (client) => addRuns(client, 2))
    await inStore(home, addAccount)
    const { server, password } = await openOtherServer(form)
    const recorder = await openRecorder(server.url)
    const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: password }
    const run = (at: string, ...argv: string[]) =>
      runCli(['sync', ...argv, '--with', recorder.url, '--json'], { home: at, env })

    const pushed = await run(home, 'push')
    const sent = JSON.parse(pushed.stdout)
    expect(sent.copied.filter(({ kind }: { kind: string }) => kind === 'run').length).toBe(7)
    expect({ code: pushed.code, left: sent.left_out, conflicts: sent.conflicts }).toEqual({
      code: 0,
      left: [],
      conflicts: [],
    })
    const writes = recorder.writes().length
    const again = JSON.parse((await run(home, 'both')).stdout)
    expect(again).toMatchObject({ copied: [], matched: { run: 7 } })
    expect(again.notes).toMatchObject([expect.stringMatching(/has no list of clusters/)])
    expect(recorder.writes().length).toBe(writes)

    const pulled = await run(third, 'pull')
    const body = JSON.parse(pulled.stdout)
    const runs = body.copied.filter(({ kind }: { kind: string }) => kind === 'run')
    const reasons = new Set(body.left_out.map(({ kind, reason }: Record<string, string>) => `${kind}: ${reason}`))
    if (form === 'full') {
      expect(pulled.code).toBe(0)
      expect(runs.length).toBe(7)
      const trends = (at: string) =>
        inStore(at, (client) => client.call('reportTrends', { query: { window_days: 365, cluster_name: 'shop-prod' } }))
      const [one, other] = [await trends(home), await trends(third)]
      expect(JSON.stringify(other).replaceAll(/crun_\w+/g, '')).toBe(JSON.stringify(one).replaceAll(/crun_\w+/g, ''))
    } else {
      expect(pulled.code).toBe(1)
      expect(runs).toEqual([])
      expect(reasons).toContain(`run: ${recorder.url} does not return its report`)
      expect(reasons).toContain(`subscription: ${recorder.url} does not show its settings`)
      expect(pulled.stderr).toContain('relt_incomplete')
    }
  },
)
