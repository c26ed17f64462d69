import { type CiEnv, pullRequestNumber } from '../detect.ts'

/** The pull or merge request of a pipeline, and the API that comments on it. */
export interface CommentPlace {
  service: 'github' | 'gitlab'
  /** Base URL of the API, without a trailing slash. */
  api: string
  /** Path of the list of comments below `api`. */
  comments: string
  /** Path of one comment, without its id and last slash. */
  comment: string
  /** Method that changes a comment. */
  edit: 'PATCH' | 'PUT'
  headers: Record<string, string>
  /** Size limit of a comment, in bytes. */
  maxBytes: number
  /** Permission that the token needs, for an error. */
  permission: string
}

/** A place, or the reason why there is none. */
export type FoundPlace = { place: CommentPlace } | { missing: string }

/**
 * Finds the pull or merge request of this pipeline. `event` is GitHub's event, parsed.
 * Sources: https://docs.github.com/en/rest/issues/comments, https://docs.gitlab.com/api/notes/
 */
export function findCommentPlace(env: CiEnv, event: unknown): FoundPlace {
  if (env.GITHUB_ACTIONS === 'true') return githubPlace(env, event)
  if (env.GITLAB_CI === 'true') return gitlabPlace(env)
  return { missing: '--comment works in GitHub Actions and GitLab CI only.' }
}

function githubPlace(env: CiEnv, event: unknown): FoundPlace {
  const number = pullRequestNumber(env, event)
  if (number === undefined) return { missing: 'This pipeline is not of a pull request, so no comment was written.' }
  const { GITHUB_API_URL: api = 'https://api.github.com', GITHUB_REPOSITORY: repository = '' } = env
  const token = env.GITHUB_TOKEN || env.GH_TOKEN
  if (!token) return { missing: 'No comment was written: set GITHUB_TOKEN, the token of the job (github.token).' }
  if (!isSafe(api) || !/^[\w.-]+\/[\w.-]+$/.test(repository)) return { missing: misfit }
  return {
    place: {
      service: 'github',
      api: api.replace(/\/$/, ''),
      comments: `/repos/${repository}/issues/${number}/comments`,
      comment: `/repos/${repository}/issues/comments`,
      edit: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
      maxBytes: 65_000,
      permission: 'pull-requests: write',
    },
  }
}

function gitlabPlace(env: CiEnv): FoundPlace {
  const {
    CI_API_V4_URL: api = '',
    CI_PROJECT_ID: project = '',
    CI_MERGE_REQUEST_IID: number,
    GITLAB_TOKEN: token,
  } = env
  if (!number) return { missing: 'This pipeline is not of a merge request, so no comment was written.' }
  if (!token) {
    return {
      missing: 'No comment was written: set GITLAB_TOKEN to an access token with the scope api (not CI_JOB_TOKEN).',
    }
  }
  if (!isSafe(api) || !/^\d+$/.test(project) || !/^\d+$/.test(number)) return { missing: misfit }
  const notes = `/projects/${project}/merge_requests/${number}/notes`
  return {
    place: {
      service: 'gitlab',
      api: api.replace(/\/$/, ''),
      comments: notes,
      comment: notes,
      edit: 'PUT',
      headers: { 'private-token': token, accept: 'application/json' },
      maxBytes: 900_000,
      permission: 'the scope api and the role Reporter',
    },
  }
}

const misfit = 'No comment was written: the variables of this pipeline do not name its API.'

/** The token is sent to this URL: requires encryption, or this machine. */
function isSafe(address: string) {
  const url = URL.parse(address)
  if (!url || url.username || url.password || url.search) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname))
}
