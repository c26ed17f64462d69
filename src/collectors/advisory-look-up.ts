import type { AdvisoryAnswer } from './advisory-answer.ts'
import { askGithub } from './github-advisories/look-up.ts'
import type { GithubSettings } from './github-releases/repository.ts'
import type { Http } from './http.ts'
import { askOsv } from './osv/index.ts'

/** Failures in a row after which a host is no longer asked. */
const mostFailures = 3

/**
 * Looks up an advisory on OSV if it has a URL, then on GitHub if there is a token, until they stop answering; lives for one
 * sync.
 */
export function createAdvisoryLookUp(
  http: Http,
  { osvUrl, github }: { osvUrl: string | undefined; github: GithubSettings },
) {
  const databases = [
    ...(osvUrl === undefined ? [] : [(id: string) => askOsv(http, osvUrl, id)]),
    ...(github.token === undefined ? [] : [(id: string) => askGithub(http, github, id)]),
  ].map((ask) => ({ ask, failures: 0 }))
  return async (id: string): Promise<AdvisoryAnswer> => {
    let isAnswered = databases.length > 0
    for (const database of databases) {
      const answer: AdvisoryAnswer = database.failures < mostFailures ? await database.ask(id) : { kind: 'unknown' }
      if (answer.kind === 'unknown') isAnswered = false
      database.failures = answer.kind === 'unknown' ? database.failures + 1 : 0
      if (answer.kind === 'found') return answer
    }
    return { kind: isAnswered ? 'absent' : 'unknown' }
  }
}
