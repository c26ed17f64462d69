import { expect, test } from 'vitest'
import { openOtherServer } from '../../../client/other-server.ts'
import { runCli } from '../../../helpers/cli.ts'
import { addRuns, inStore, makeHome } from '../../../helpers/copy-world.ts'
import { openRecorder } from '../../../helpers/recorder.ts'

test.each(['full', 'reduced'] as const)(
  'reports are copied to and from a server with the %s forms of the interface',
  async (form) => {
    const [home, third] = [await makeHome(), await makeHome()]
    await inStore(home, (client) => addRuns(client, 2))
    const { server, password } = await openOtherServer(form)
    const recorder = await openRecorder(server.url)
    const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: password }
    const run = async (at: string, ...argv: string[]) => {
      const done = await runCli(['reports', 'copy', ...argv, '--json'], { home: at, env })
      return { code: done.code, items: JSON.parse(done.stdout).items as Record<string, string>[] }
    }
    const ids = ({ items }: { items: Record<string, string>[] }) => new Set(items.map((each) => each.new_run_id))

    const sent = await run(home, '--to', recorder.url)
    expect(sent.code).toBe(0)
    expect(sent.items.map(({ state }) => state)).toEqual(Array(7).fill('copied'))
    // A server that does not return sizes gets the reports again, and stores each once.
    const again = await run(home, '--to', recorder.url)
    expect(again.code).toBe(0)
    expect(ids(again)).toEqual(ids(sent))

    const pulled = await run(third, '--server', recorder.url, '--to', 'local')
    expect(pulled.items.length).toBe(7)
    if (form === 'full') {
      expect(pulled.code).toBe(0)
      const trends = (at: string) =>
        inStore(at, (client) => client.call('reportTrends', { query: { window_days: 365, cluster_name: 'shop-prod' } }))
      const [one, other] = [await trends(home), await trends(third)]
      expect(JSON.stringify(other).replaceAll(/crun_\w+/g, '')).toBe(JSON.stringify(one).replaceAll(/crun_\w+/g, ''))
    } else {
      expect(pulled.code).toBe(1)
      const reasons = new Set(pulled.items.map(({ state, reason }) => `${state}: ${reason}`))
      expect(reasons).toEqual(new Set(['failed: the source does not return its report']))
    }
  },
)
