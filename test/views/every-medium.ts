import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { advisoryFindings } from '../../src/ci/advisory-findings.ts'
import { renderMarkdown } from '../../src/ci/markdown.ts'
import { renderSarif } from '../../src/ci/sarif.ts'
import type { Client } from '../../src/client/client.ts'
import type { Freshness } from '../../src/contract/freshness.ts'
import { toVex } from '../../src/gate/vex.ts'
import { pages } from '../../src/html/pages/index.ts'
import { View } from '../../src/html/pages/view.ts'
import { freshness as freshnessTool } from '../../src/mcp/tools/runs.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { plainText } from '../../src/views/said.ts'
import { policyFor } from '../gate/evidence.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import type { TestService } from '../operations/service.ts'

const rules = [
  'affected>=low',
  'fixable>=low',
  'exploited',
  'compromised',
  'security-behind>=low',
  'major-behind>0',
  'eol',
]
const viewer = { login: 'ada', isPro: true, nonce: undefined, isReadOnly: false, team: null, teams: [] }

/** The media that say to which version something should go, of a run. */
export class Media {
  readonly #service: TestService
  readonly #home = temporaryFolder()
  readonly runId: string

  constructor(service: TestService, runId: string) {
    this.#service = service
    this.runId = runId
  }

  /** A command on the service, as in a pipe: no cell is wrapped. */
  cli(...argv: string[]): Promise<string> {
    return this.#run(argv, {})
  }

  /** The same in a wide terminal with colors. */
  terminal(...argv: string[]): Promise<string> {
    return this.#run(argv, { columns: 240 })
  }

  /** What an assistant is told of what runs: the sentence, and the answer as JSON. */
  async assistant(): Promise<{ said: string; answer: string }> {
    const call = (name: never, input: object) => this.#service.call(name, input)
    const context = { rows: { offset: 0, limit: 100 }, now: this.#service.clock.now }
    const { said, answer } = await freshnessTool.ask(call as never, { run_id: this.runId }, context)
    return { said: plainText(said), answer: JSON.stringify(answer) }
  }

  async #run(argv: string[], terminal: { columns?: number }): Promise<string> {
    const call = this.#service.call as unknown as Client['call']
    const { stdout, stderr } = await runCli(argv, {
      home: this.#home,
      ...terminal,
      now: this.#service.clock.now,
      between: (client) => ({ ...client, call, close: () => client.close() }),
    })
    if (stdout === '') throw new Error(`relt ${argv.join(' ')}: ${stderr}`)
    return stdout
  }

  /** A page of the server; `path` as in the table of pages. */
  async page(path: string, query: Record<string, string> = {}): Promise<string> {
    const page = pages.find((one) => one.path === path)!
    const view = new View({ path, query, viewer, now: this.#service.clock.now })
    const call = (name: never, input: object) => this.#service.call(name, input)
    const { body } = await page.show({ params: { run_id: this.runId }, query, view, call: call as never })
    return String(body)
  }

  /** The report of the run as a file. */
  async report(): Promise<string> {
    const file = join(this.#home, 'report.html')
    await this.cli('reports', 'html', this.runId, '--out', file)
    return readFileSync(file, 'utf8')
  }

  /** What a pipeline shows, by the same answers as commands get. */
  async pipeline(freshness: Freshness): Promise<Record<string, string>> {
    const run = await this.#service.call('getReport', { params: { run_id: this.runId } })
    const { now } = this.#service.clock
    const ids = freshness.items.flatMap(({ advisories }) => advisories.map(({ id }) => id))
    const accepted = [...new Set(ids)].map((id) => `- {advisory: ${id}, reason: later, expires: 2026-12-31}`)
    const vexed = policyFor(['compromised'], accepted.join('\n'))
    const policy = policyFor(rules)
    const result = evaluateGate(policy, { run, freshness, findings: [] }, now)
    return {
      gate: JSON.stringify(result),
      markdown: renderMarkdown({ run, result, freshness }, 10_000_000),
      sarif: renderSarif({ run, result } as never, advisoryFindings(freshness, policy, '2026-11-24'), '1.0.0'),
      vex: JSON.stringify(toVex(freshness, vexed.exceptions, { now: formatTimestamp(now), version: '1', author: 'a' })),
    }
  }
}
