import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { generator } from '../../bench/generate-report.ts'
import { openAdmin } from '../../src/admin/admin.ts'
import { basic } from '../server/http.ts'
import { temporaryFolder } from './cli.ts'
import { createKey } from './create-key.ts'
import { distinctReport } from './distinct-report.ts'
import { checkServedStore, type Sent } from './served-store-check.ts'
import { ServerProcess } from './server-process.ts'

interface Load {
  uploads: number
  users: number
  atOnce: number
  kills: number
  seed: number
}

interface User {
  login: string
  authorization: string
}

const findings = 30
/** With a pause of 20 ms after each. */
const maxTries = 3000

/**
 * Users upload over HTTP to a server that is killed at random moments and started again; they try again until they are
 * answered. Every second upload of a user has an idempotency key, which the others give, too; every 21st is sent again after
 * its answer, as by somebody whom that did not reach.
 */
export async function killServer({ uploads, users: count, atOnce, kills, seed }: Load): Promise<void> {
  const home = temporaryFolder()
  const users = await addUsers(home, count)
  const server = new ServerProcess(home)
  const random = generator(seed)
  const killAt = Array.from({ length: kills }, (_, i) => Math.floor(((i + random()) * uploads) / (kills + 1)))
  const sent: Sent[] = []
  let restarted = server.start()
  let next = 0

  async function keepUploading(): Promise<void> {
    while (next < uploads) {
      const number = next++
      const user = users[number % count]!
      const round = Math.floor(number / count)
      const key = round % 2 === 0 ? undefined : `upload-${round}`
      const report = JSON.stringify(distinctReport(number, findings))
      const { run_id } = await upload(server, user, report, key)
      sent.push({ login: user.login, runId: run_id, number, contentHash: hash('sha256', report) })
      if (sent.length > killAt[0]!) {
        killAt.shift()
        restarted = restarted.then(() => sleep(random() * 20)).then(() => server.restart())
      }
      if (number % 21 === 0) expect(await upload(server, user, report, key)).toMatchObject({ run_id, duplicate: true })
    }
  }

  try {
    await restarted
    await Promise.all(Array.from({ length: atOnce }, keepUploading))
    await restarted
  } finally {
    await server.kill()
  }
  expect(killAt).toEqual([])
  expect(server.stderr).not.toContain('"level"')
  await checkServedStore(home, sent, findings)
}

async function addUsers(home: string, count: number): Promise<User[]> {
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off' }
  const store = { env, now: () => Math.floor(Date.now() / 1000) }
  const admin = await openAdmin(store)
  const users: User[] = []
  for (let i = 0; i < count; i++) {
    const login = `user-${i}`
    await admin.addUser({ login, role: 'user', plan: 'pro' })
    users.push({ login, authorization: basic(login, await createKey(store, login)) })
  }
  await admin.close()
  return users
}

/** Tries until it is answered: a refusal is a defect. */
async function upload(server: ServerProcess, { authorization }: User, report: string, key: string | undefined) {
  const headers = { authorization, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await post(`${server.url}/cluster-reports`, headers, `{"report":${report}}`)
    if (answer && answer.status < 500 && answer.status !== 429) {
      expect(answer).toMatchObject({ status: answer.body.duplicate ? 200 : 201, body: { success: true } })
      return answer.body
    }
    await sleep(20)
  }
  throw new Error(`No answer after ${maxTries} tries: ${server.stderr}`)
}

interface UploadAnswer {
  run_id: string
  duplicate?: true
}

/** Undefined when the connection is refused or breaks off. */
async function post(url: string, headers: Record<string, string>, body: string) {
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as UploadAnswer }
  } catch {
    return undefined
  }
}
