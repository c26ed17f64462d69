import { isObject } from '../util/json.ts'
import { plainUrl, repositoryName } from './address.ts'
import { oneLine } from './text.ts'

export type CiEnv = Record<string, string | undefined>

/** The pipeline's context for an upload, without unknown fields. */
export interface CiRun {
  provider?: string
  repository?: string
  commit?: string
  branch?: string
  build_url?: string
  pull_request?: string
  target_branch?: string
}

type DetectedFields = { [K in keyof CiRun]: string | undefined }

/** Limits of the contract: a longer value is dropped. */
const maxLength: Record<keyof CiRun, number> = {
  provider: 100,
  repository: 500,
  commit: 100,
  branch: 300,
  build_url: 1000,
  pull_request: 100,
  target_branch: 300,
}

/**
 * Reads the documented variables of a CI system; for a pull request, the head's commit and branch rather than those of the
 * merge being built; for a tag, no branch. `event` is GitHub's event, parsed. `RELT_CI_*` take precedence, for systems that
 * set no variables.
 */
export function detectCi(env: CiEnv, event?: unknown): CiRun | undefined {
  const provider = providers.find(({ isHere }) => isHere(env))
  const own: DetectedFields = {
    provider: env.RELT_CI_PROVIDER,
    repository: env.RELT_CI_REPOSITORY,
    commit: env.RELT_CI_COMMIT,
    branch: env.RELT_CI_BRANCH,
    build_url: env.RELT_CI_BUILD_URL,
    pull_request: env.RELT_CI_PULL_REQUEST,
    target_branch: env.RELT_CI_TARGET_BRANCH,
  }
  const found: DetectedFields | undefined = provider && { provider: provider.name, ...provider.find(env, event) }
  const run: CiRun = {}
  for (const key of Object.keys(maxLength) as (keyof CiRun)[]) {
    const value = usable(key, own[key]) ?? usable(key, found?.[key])
    if (value !== undefined) run[key] = value
  }
  return Object.keys(run).length > 0 ? run : undefined
}

/** The value, if it is a non-empty line without control characters, and not too long; a URL without user and password. */
function usable(key: keyof CiRun, value: string | undefined) {
  const text = (key === 'build_url' ? plainUrl(value) : value)?.trim()
  return text && text.length <= maxLength[key] && oneLine(text) === text ? text : undefined
}

const bitbucket = 'https://bitbucket.org'

const providers: {
  name: string
  isHere: (env: CiEnv) => boolean
  find: (env: CiEnv, event: unknown) => Omit<DetectedFields, 'provider'>
}[] = [
  {
    name: 'github-actions',
    isHere: (env) => env.GITHUB_ACTIONS === 'true',
    find: (env, event) => ({
      repository: env.GITHUB_REPOSITORY,
      commit: headCommit(event) ?? env.GITHUB_SHA,
      branch: env.GITHUB_HEAD_REF || (env.GITHUB_REF_TYPE === 'tag' ? undefined : env.GITHUB_REF_NAME),
      build_url: joined([
        env.GITHUB_SERVER_URL,
        env.GITHUB_REPOSITORY,
        'actions/runs',
        env.GITHUB_RUN_ID && ofAttempt(env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT),
      ]),
      pull_request: pullRequestNumber(env, event),
      target_branch: env.GITHUB_BASE_REF,
    }),
  },
  {
    name: 'gitlab-ci',
    isHere: (env) => env.GITLAB_CI === 'true',
    find: (env) => ({
      repository: env.CI_PROJECT_PATH,
      commit: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
      branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || (env.CI_COMMIT_TAG ? undefined : env.CI_COMMIT_REF_NAME),
      build_url: env.CI_PIPELINE_URL || env.CI_JOB_URL,
      pull_request: env.CI_MERGE_REQUEST_IID || env.CI_EXTERNAL_PULL_REQUEST_IID,
      target_branch: env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || env.CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME,
    }),
  },
  {
    name: 'azure-pipelines',
    isHere: (env) => env.TF_BUILD?.toLowerCase() === 'true',
    find: (env) => ({
      repository: env.BUILD_REPOSITORY_NAME,
      commit: env.SYSTEM_PULLREQUEST_SOURCECOMMITID || env.BUILD_SOURCEVERSION,
      branch: branchOf(env.SYSTEM_PULLREQUEST_SOURCEBRANCH || env.BUILD_SOURCEBRANCH),
      build_url: azureUrl(env),
      pull_request: env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER || env.SYSTEM_PULLREQUEST_PULLREQUESTID,
      target_branch: branchOf(env.SYSTEM_PULLREQUEST_TARGETBRANCH),
    }),
  },
  {
    name: 'jenkins',
    isHere: (env) => Boolean(env.JENKINS_URL),
    find: (env) => ({
      repository: repositoryName(env.GIT_URL),
      commit: env.GIT_COMMIT,
      branch:
        env.CHANGE_BRANCH || (env.TAG_NAME ? undefined : env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, '')),
      build_url: env.BUILD_URL,
      pull_request: env.CHANGE_ID,
      target_branch: env.CHANGE_TARGET,
    }),
  },
  {
    name: 'bitbucket-pipelines',
    isHere: (env) => Boolean(env.BITBUCKET_BUILD_NUMBER),
    find: (env) => ({
      repository: env.BITBUCKET_REPO_FULL_NAME,
      commit: env.BITBUCKET_COMMIT,
      branch: env.BITBUCKET_BRANCH,
      build_url: joined([bitbucket, env.BITBUCKET_REPO_FULL_NAME, 'pipelines', 'results', env.BITBUCKET_BUILD_NUMBER]),
      pull_request: env.BITBUCKET_PR_ID,
      target_branch: env.BITBUCKET_PR_DESTINATION_BRANCH,
    }),
  },
  {
    name: 'circleci',
    isHere: (env) => env.CIRCLECI === 'true',
    find: (env) => ({
      repository: joined([env.CIRCLE_PROJECT_USERNAME, env.CIRCLE_PROJECT_REPONAME]),
      commit: env.CIRCLE_SHA1,
      branch: env.CIRCLE_BRANCH,
      build_url: env.CIRCLE_BUILD_URL,
      pull_request: env.CIRCLE_PULL_REQUEST?.replace(/^.*\//, ''),
    }),
  },
  {
    name: 'buildkite',
    isHere: (env) => env.BUILDKITE === 'true',
    find: (env) => ({
      repository: repositoryName(env.BUILDKITE_REPO),
      commit: env.BUILDKITE_COMMIT,
      branch: env.BUILDKITE_TAG ? undefined : env.BUILDKITE_BRANCH,
      build_url: env.BUILDKITE_BUILD_URL,
      pull_request: env.BUILDKITE_PULL_REQUEST === 'false' ? undefined : env.BUILDKITE_PULL_REQUEST,
      target_branch: env.BUILDKITE_PULL_REQUEST_BASE_BRANCH,
    }),
  },
  // Most other systems set CI, and a first run in one begins no baseline.
  { name: 'ci', isHere: ({ CI = '' }) => !/^(|0|false)$/i.test(CI), find: () => ({}) },
]

/** The number of the pull request in GitHub's event, parsed, or else in the name of the merge that is built. */
export function pullRequestNumber(env: CiEnv, event: unknown): string | undefined {
  const { number } = pullRequestOf(event)
  return Number.isSafeInteger(number) ? String(number) : /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1]
}

/** The pull request of GitHub's event; without members for another event. */
const pullRequestOf = (event: unknown) => (isObject(event) && isObject(event.pull_request) ? event.pull_request : {})

/** GitHub's variables name only the merge commit; the event names the head. */
function headCommit(event: unknown) {
  const { head } = pullRequestOf(event)
  const sha = isObject(head) ? head.sha : undefined
  return typeof sha === 'string' && /^[0-9a-f]{40,64}$/.test(sha) ? sha : undefined
}

function azureUrl(env: CiEnv) {
  const { SYSTEM_COLLECTIONURI: collection, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: build } = env
  if (!collection || !project || !build) return undefined
  const path = `${encodeURIComponent(project)}/_build/results?buildId=${encodeURIComponent(build)}`
  return `${collection.replace(/\/$/, '')}/${path}`
}

/** Azure names branches and tags by their references. */
const branchOf = (reference: string | undefined) =>
  reference?.startsWith('refs/tags/') ? undefined : reference?.replace(/^refs\/heads\//, '')

/** Attempts of a run are builds of their own. */
const ofAttempt = (run: string, attempt = '1') => (attempt === '1' ? run : `${run}/attempts/${attempt}`)

function joined(parts: (string | undefined)[]) {
  return parts.every(Boolean) ? parts.join('/') : undefined
}
