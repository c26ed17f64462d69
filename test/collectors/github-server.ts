import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { answerGit } from './git-server.ts'
import { answerAdvisories, answerReviewed, type FakeAdvisory } from './github-advisories.ts'
import { type Asked, type LocalServer, openLocalServer, sendJson } from './local-server.ts'

export interface FakeRelease {
  tag: string
  /** ISO 8601. */
  at: string
  notes?: string
  prerelease?: boolean
  draft?: boolean
}

export interface FakeRepository {
  /** Newest first. */
  releases?: FakeRelease[]
  tags?: Pick<FakeRelease, 'tag' | 'at'>[]
  /** Newest first. */
  advisories?: FakeAdvisory[]
  isPrivate?: boolean
  /** ISO 8601. */
  archivedAt?: string
}

export interface FakeGithub extends LocalServer {
  /** By `owner/name`. */
  repositories: Record<string, FakeRepository>
  /** In the list for all repositories. */
  reviewed: FakeAdvisory[]
  advisoriesPerPage: number
  token: string
  /** Of `/` REST and `graphql`: what is left; unlimited when absent. */
  left: { rest?: number; graphql?: number }
  /** Answers in place of the server; false leaves it to that. */
  fault: (asked: Asked, response: ServerResponse) => boolean
}

/** Answers as api.github.com and github.com do, as far as relt asks: releases by REST, tags by git, states by GraphQL, advisories. */
export async function openGithub(repositories: Record<string, FakeRepository> = {}): Promise<FakeGithub> {
  const github = {
    repositories,
    reviewed: [],
    advisoriesPerPage: 100,
    token: 'ghp_hunter2',
    left: {},
    fault: () => false,
  } as unknown as FakeGithub
  const server = await openLocalServer((asked, response) => {
    if (github.fault(asked, response)) return
    const { pathname, searchParams } = new URL(asked.path, 'http://x')
    const rest = /^\/repos\/([^/]+\/[^/]+)\/releases$/.exec(pathname)
    const git = /^\/([^/]+\/[^/]+)\.git\/git-upload-pack$/.exec(pathname)
    const advisories = /^\/repos\/([^/]+\/[^/]+)\/security-advisories$/.exec(pathname)
    if (advisories || pathname === '/advisories') {
      if (!isAllowed(github, advisories?.[1], asked, response)) return
      return advisories
        ? answerAdvisories(github, advisories[1]!, asked, response)
        : answerReviewed(github, asked, response)
    }
    if (pathname === '/graphql') return answerGraphql(github, asked, response)
    if (rest)
      return answerRest(github, { name: rest[1]!, page: Number(searchParams.get('page') ?? 1) }, asked, response)
    if (git) return answerTags(github, git[1]!, asked, response)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}')
  })
  return Object.assign(github, server)
}

const perPage = 30

/** Has refused when it is not. */
function isAllowed(github: FakeGithub, name: string | undefined, asked: Asked, response: ServerResponse): boolean {
  const isKnown = asked.headers.authorization === `Bearer ${github.token}`
  const status = !isKnown ? 401 : name !== undefined && !github.repositories[name] ? 404 : 200
  if (status !== 200) response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  else if (github.left.rest === 0) refuse(response)
  else return true
  return false
}

function answerRest(
  github: FakeGithub,
  { name, page }: { name: string; page: number },
  asked: Asked,
  response: ServerResponse,
) {
  const repository = find(github, name, asked)
  const isKnown = asked.headers.authorization === `Bearer ${github.token}`
  if (!isKnown) return void response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
  if (!repository) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  const all = (repository.releases ?? []).map((release) => ({
    tag_name: release.tag,
    html_url: `https://github.com/${name}/releases/tag/${encodeURIComponent(release.tag)}`,
    draft: release.draft === true,
    prerelease: release.prerelease === true,
    created_at: release.at,
    published_at: release.draft ? null : release.at,
    body_html: release.notes ?? '',
    assets: [],
  }))
  const items = all.slice((page - 1) * perPage, page * perPage)
  const etag = `W/"${hash('sha256', JSON.stringify(items))}"`
  if (asked.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  const limits = take(github, 'rest')
  if (!limits) return refuse(response)
  const more = all.length > page * perPage
  sendJson(response, items, {
    etag,
    ...limits,
    ...(more && { link: `<${github.url}${asked.path}&page=${page + 1}>; rel="next", <x>; rel="last"` }),
  })
}

/** GitHub asks for a password where there is no public repository. */
function answerTags(github: FakeGithub, name: string, asked: Asked, response: ServerResponse) {
  const known = `Basic ${Buffer.from(`x-access-token:${github.token}`).toString('base64')}`
  const repository = github.repositories[name]
  if (!repository || (repository.isPrivate && asked.headers.authorization !== known)) {
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end('Repository not found.')
  }
  const { releases = [], tags = [] } = repository
  answerGit([...releases.filter(({ draft }) => !draft), ...tags], asked, response)
}

function answerGraphql(github: FakeGithub, asked: Asked, response: ServerResponse) {
  if (asked.headers.authorization !== `Bearer ${github.token}`) {
    return void response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
  }
  const limits = take(github, 'graphql')
  if (!limits)
    return sendJson(response, { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }, reset)
  const { query } = JSON.parse(asked.body) as { query: string }
  const data: Record<string, unknown> = {}
  const errors: unknown[] = []
  const pattern = /(p\d+): repository\(owner: "([\w.-]+)", name: "([\w.-]+)"\) \{ isArchived archivedAt \}/g
  for (const [, alias, owner, last] of query.matchAll(pattern)) {
    const name = `${owner}/${last}`
    const repository = find(github, name, asked)
    const archivedAt = repository?.archivedAt ?? null
    data[alias!] = repository ? { isArchived: archivedAt !== null, archivedAt } : null
    if (!repository) errors.push({ type: 'NOT_FOUND', path: [alias], message: `Could not resolve ${name}` })
  }
  sendJson(response, { data, ...(errors.length > 0 && { errors }) }, limits)
}

function find({ repositories, token }: FakeGithub, name: string, { headers }: Asked): FakeRepository | undefined {
  const repository = repositories[name]
  return repository?.isPrivate && headers.authorization !== `Bearer ${token}` ? undefined : repository
}

const reset = {
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3000),
}

/** Counts one; undefined when none is left. */
function take({ left }: FakeGithub, budget: 'rest' | 'graphql'): Record<string, string> | undefined {
  const now = left[budget]
  if (now === undefined) return {}
  if (now === 0) return undefined
  left[budget] = now - 1
  return { ...reset, 'x-ratelimit-remaining': String(now - 1) }
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'application/json', ...reset }).end('{"message":"rate limit exceeded"}')
}
