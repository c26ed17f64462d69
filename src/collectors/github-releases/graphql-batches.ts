import { remember } from '../../util/remember.ts'
import type { CollectOutcome } from '../collector.ts'
import type { Http } from '../http.ts'
import { authorization, toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import type { GithubRepository } from './repository.ts'
import { GraphqlAnswer, GraphqlPage } from './schema.ts'

export interface PageQuestion {
  repository: GithubRepository
  what: 'releases' | 'tags' | 'state'
  /** End cursor of the previous page. */
  after: string | null
  http: Http
}

export type PageAnswer =
  | { kind: 'page'; page: GraphqlPage }
  | Exclude<CollectOutcome, { kind: 'changed' | 'unchanged' }>

interface PendingQuestion {
  question: PageQuestion
  answer: (answer: PageAnswer) => void
  fail: (error: unknown) => void
}

const batchSize = 20
const gatherMs = 20

/** Combines queries to one server with one token that come shortly after each other. */
export class GraphqlBatches {
  readonly #waiting = new Map<string, PendingQuestion[]>()

  ask(question: PageQuestion): Promise<PageAnswer> {
    const { graphqlUrl, token } = question.repository
    const key = `${graphqlUrl} ${token}`
    return new Promise((answer, fail) => {
      const waiting: PendingQuestion[] = remember(this.#waiting, key, () => [])
      waiting.push({ question, answer, fail })
      if (waiting.length === 1) setTimeout(() => this.#send(key, waiting), gatherMs)
      if (waiting.length === batchSize) this.#send(key, waiting)
    })
  }

  #send(key: string, waiting: PendingQuestion[]) {
    if (this.#waiting.get(key) !== waiting) return
    this.#waiting.delete(key)
    askTogether(waiting.map(({ question }) => question)).then(
      (answers) => {
        for (const [index, { answer }] of waiting.entries()) answer(answers[index]!)
      },
      (error: unknown) => {
        for (const { fail } of waiting) fail(error)
      },
    )
  }
}

async function askTogether(questions: PageQuestion[]) {
  const { repository, http } = questions[0]!
  const answer = await http.ask({
    url: repository.graphqlUrl,
    method: 'POST',
    body: JSON.stringify(toQuery(questions)),
    headers: { 'content-type': 'application/json' },
    secretHeaders: authorization(repository.token),
    types: ['application/json'],
    budget: 'graphql',
    maxBytes: 64 * 1024 * 1024,
  })
  const all = (failure: PageAnswer) => questions.map(() => failure)
  if (answer.kind !== 'ok') return all(toFailure(answer) as PageAnswer)
  const parsed = parseJson(answer.body, GraphqlAnswer)
  if (!parsed) return all({ kind: 'unreachable', reason: 'the answer is not one of GraphQL' })
  const { data, errors = [] } = parsed
  if (errors.some(({ type }) => type === 'RATE_LIMITED')) {
    return all({ kind: 'limited', retryAt: http.budget(repository.graphqlUrl, 'graphql')?.resetAt ?? 0 })
  }
  return questions.map((_, index): PageAnswer => {
    const error = errors.find(({ path }) => path?.[0] === `p${index}`)
    if (error?.type === 'NOT_FOUND') return { kind: 'absent', reason: 'GitHub knows no such repository' }
    const page = GraphqlPage.safeParse(data?.[`p${index}`])
    // A partial page would look like a whole one.
    if (page.success && !error) return { kind: 'page', page: page.data }
    return { kind: 'unreachable', reason: 'GraphQL answered with an error in place of the repository' }
  })
}

const fields = {
  releases: (after: string) => `releases(first: 30, after: ${after}, orderBy: {field: CREATED_AT, direction: DESC}) {
    nodes { tagName url isDraft isPrerelease createdAt publishedAt descriptionHTML }
    pageInfo { hasNextPage endCursor } }`,
  tags: (
    after: string,
  ) => `refs(refPrefix: "refs/tags/", first: 30, after: ${after}, orderBy: {field: TAG_COMMIT_DATE, direction: DESC}) {
    nodes { name target { ... on Commit { committedDate } ... on Tag { tagger { date } target { ... on Commit { committedDate } } } } }
    pageInfo { hasNextPage endCursor } }`,
  state: () => 'isArchived archivedAt',
}

/** Names are passed as variables, so the query contains no foreign text. */
function toQuery(questions: PageQuestion[]) {
  const variables: Record<string, string | null> = {}
  const declared: string[] = []
  const parts = questions.map(({ repository, what, after }, index) => {
    variables[`o${index}`] = repository.owner
    variables[`n${index}`] = repository.name
    declared.push(`$o${index}: String!, $n${index}: String!`)
    // A declared variable must be used.
    if (what !== 'state') {
      variables[`a${index}`] = after
      declared.push(`$a${index}: String`)
    }
    return `p${index}: repository(owner: $o${index}, name: $n${index}) { ${fields[what](`$a${index}`)} }`
  })
  return { query: `query (${declared.join(', ')}) { ${parts.join('\n')} }`, variables }
}
