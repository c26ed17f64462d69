import type { SourceRequest } from '../http/question.ts'
import type { Http, HttpAnswer } from '../http.ts'

/** Cache of indexes shared by projects; the least recently used is evicted first. */
const mostBytes = 64 * 1024 * 1024

/** Asks a question of several projects once: a repository can have the charts of dozens. */
export class SharedAnswers {
  readonly #kept = new Map<string, { asked: Promise<HttpAnswer>; bytes: number }>()

  async ask(http: Http, question: SourceRequest): Promise<HttpAnswer> {
    const { url, state, secretHeaders } = question
    const key = JSON.stringify([url, state?.etag, state?.lastModified, secretHeaders])
    const one = this.#kept.get(key) ?? { asked: http.ask(question), bytes: 0 }
    this.#kept.delete(key)
    this.#kept.set(key, one)
    const answer = await one.asked
    one.bytes = answer.kind === 'ok' ? answer.body.length : 0
    this.#makeRoom()
    return answer
  }

  #makeRoom(): void {
    let total = 0
    for (const { bytes } of this.#kept.values()) total += bytes
    for (const [key, { bytes }] of this.#kept) {
      if (total <= mostBytes) return
      this.#kept.delete(key)
      total -= bytes
    }
  }
}
