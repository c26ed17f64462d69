import { readFileSync } from 'node:fs'
import { reltFile, type Started, start } from './process.ts'

/** A `relt serve` in a process of its own, started again on the same store and port after it was killed. */
export class ServerProcess {
  readonly #home: string
  readonly #env: Record<string, string>
  #port = 0
  #process: Started | undefined
  /** What all its processes have printed to standard error. */
  stderr = ''

  constructor(home: string, env: Record<string, string> = {}) {
    this.#home = home
    this.#env = env
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/api/relt/v1`
  }

  get pid(): number {
    return this.#process!.child.pid!
  }

  /** The most memory that the process has had; on Linux. */
  get peakMegabytes(): number {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))!
    return Number(kilobytes) / 1024
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const argv = ['serve', '--port', String(this.#port), '--log-level', 'warn']
    const noLimits = { RELT_RATE_LIMIT_USER: '1000000', RELT_RATE_LIMIT_ADDRESS: '1000000' }
    this.#process = start(reltFile, argv, { RELT_HOME: this.#home, ...noLimits, ...this.#env })
    const { child, finished } = this.#process
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let said = ''
    child.stderr?.on('data', (text: string) => {
      said += text
      const port = /Listening on \S+:(\d+)\n/.exec(said)?.[1]
      if (port) resolve(port)
    })
    finished.then(({ stderr }) => {
      this.stderr += stderr
      reject(new Error(`The server has ended: ${stderr}`))
    }, reject)
    this.#port = Number(await promise)
  }

  async kill(): Promise<void> {
    this.#process?.child.kill('SIGKILL')
    await this.#process?.finished
  }

  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }
}
