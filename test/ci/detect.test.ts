import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CiEnv, type CiRun, detectCi } from '../../src/ci/detect.ts'
import { clusterReportRoutes } from '../../src/contract/routes/cluster-report.ts'
import { anyCharacter, anyUrl } from '../helpers/any-character.ts'

const sha = '1'.repeat(40)
const head = '2'.repeat(40)

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'shop/web',
  GITHUB_SHA: sha,
  GITHUB_REF_NAME: 'main',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_RUN_ID: '42',
}
const gitlab = {
  GITLAB_CI: 'true',
  CI_PROJECT_PATH: 'shop/web',
  CI_COMMIT_SHA: sha,
  CI_COMMIT_REF_NAME: 'main',
  CI_JOB_URL: 'https://gitlab.example/shop/web/-/jobs/42',
}
const azure = {
  TF_BUILD: 'True',
  BUILD_REPOSITORY_NAME: 'shop/web',
  BUILD_SOURCEVERSION: sha,
  BUILD_SOURCEBRANCH: 'refs/heads/feature/x',
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/shop/',
  SYSTEM_TEAMPROJECT: 'Web & Co',
  BUILD_BUILDID: '42',
}
const jenkins = {
  JENKINS_URL: 'https://jenkins.example/',
  GIT_URL: 'https://bot:secret@git.example/shop/web.git',
  GIT_COMMIT: sha,
  GIT_BRANCH: 'origin/main',
  BUILD_URL: 'https://jenkins.example/job/web/42/',
}

const cases: [string, CiEnv, CiRun][] = [
  [
    'GitHub Actions',
    github,
    {
      provider: 'github-actions',
      repository: 'shop/web',
      commit: sha,
      branch: 'main',
      build_url: 'https://github.com/shop/web/actions/runs/42',
    },
  ],
  [
    'GitLab',
    gitlab,
    {
      provider: 'gitlab-ci',
      repository: 'shop/web',
      commit: sha,
      branch: 'main',
      build_url: 'https://gitlab.example/shop/web/-/jobs/42',
    },
  ],
  [
    'a merge request in GitLab',
    { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head, CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'fix' },
    {
      provider: 'gitlab-ci',
      repository: 'shop/web',
      commit: head,
      branch: 'fix',
      build_url: 'https://gitlab.example/shop/web/-/jobs/42',
    },
  ],
  [
    'Azure Pipelines',
    azure,
    {
      provider: 'azure-pipelines',
      repository: 'shop/web',
      commit: sha,
      branch: 'feature/x',
      build_url: 'https://dev.azure.com/shop/Web%20%26%20Co/_build/results?buildId=42',
    },
  ],
  [
    'a pull request in Azure Pipelines',
    { ...azure, SYSTEM_PULLREQUEST_SOURCECOMMITID: head, SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/fix' },
    {
      provider: 'azure-pipelines',
      repository: 'shop/web',
      commit: head,
      branch: 'fix',
      build_url: 'https://dev.azure.com/shop/Web%20%26%20Co/_build/results?buildId=42',
    },
  ],
  [
    'Jenkins, without the password in its remote',
    jenkins,
    {
      provider: 'jenkins',
      repository: 'shop/web',
      commit: sha,
      branch: 'main',
      build_url: 'https://jenkins.example/job/web/42/',
    },
  ],
  [
    'a pull request in Jenkins',
    { ...jenkins, BRANCH_NAME: 'PR-7', CHANGE_BRANCH: 'fix' },
    {
      provider: 'jenkins',
      repository: 'shop/web',
      commit: sha,
      branch: 'fix',
      build_url: 'https://jenkins.example/job/web/42/',
    },
  ],
  [
    'Bitbucket',
    {
      BITBUCKET_BUILD_NUMBER: '42',
      BITBUCKET_REPO_FULL_NAME: 'shop/web',
      BITBUCKET_COMMIT: sha,
      BITBUCKET_BRANCH: 'main',
    },
    {
      provider: 'bitbucket-pipelines',
      repository: 'shop/web',
      commit: sha,
      branch: 'main',
      build_url: 'https://bitbucket.org/shop/web/pipelines/results/42',
    },
  ],
  [
    'CircleCI',
    {
      CIRCLECI: 'true',
      CIRCLE_PROJECT_USERNAME: 'shop',
      CIRCLE_PROJECT_REPONAME: 'web',
      CIRCLE_SHA1: sha,
      CIRCLE_BRANCH: 'main',
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/shop/web/42',
    },
    {
      provider: 'circleci',
      repository: 'shop/web',
      commit: sha,
      branch: 'main',
      build_url: 'https://circleci.com/gh/shop/web/42',
    },
  ],
  [
    'Buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_REPO: 'git@github.com:shop/web.git',
      BUILDKITE_COMMIT: sha,
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_BUILD_URL: 'https://buildkite.com/shop/web/builds/42',
    },
    {
      provider: 'buildkite',
      repository: 'shop/web',
      commit: sha,
      branch: 'main',
      build_url: 'https://buildkite.com/shop/web/builds/42',
    },
  ],
  [
    'Tekton, which sets no variables of its own',
    {
      RELT_CI_PROVIDER: 'tekton',
      RELT_CI_REPOSITORY: 'shop/web',
      RELT_CI_COMMIT: sha,
      RELT_CI_BRANCH: 'main',
      RELT_CI_BUILD_URL: 'https://tekton.example/runs/42',
    },
    {
      provider: 'tekton',
      repository: 'shop/web',
      commit: sha,
      branch: 'main',
      build_url: 'https://tekton.example/runs/42',
    },
  ],
]

describe('a pipeline is known by its variables', () => {
  /** Pull requests, and builds that are none. */
  const requests: [string, CiEnv, unknown, Pick<CiRun, 'branch' | 'pull_request' | 'target_branch'>][] = [
    [
      'GitHub',
      { ...github, GITHUB_HEAD_REF: 'main', GITHUB_BASE_REF: 'main', GITHUB_REF: 'refs/pull/12/merge' },
      undefined,
      { branch: 'main', pull_request: '12', target_branch: 'main' },
    ],
    [
      'GitHub, by the event',
      { ...github, GITHUB_HEAD_REF: 'fix', GITHUB_BASE_REF: 'main' },
      { pull_request: { number: 7 } },
      { branch: 'fix', pull_request: '7', target_branch: 'main' },
    ],
    ['a tag on GitHub', { ...github, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' }, undefined, {}],
    [
      'GitLab',
      {
        ...gitlab,
        CI_MERGE_REQUEST_IID: '3',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'fix',
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      },
      undefined,
      { branch: 'fix', pull_request: '3', target_branch: 'main' },
    ],
    ['a tag on GitLab', { ...gitlab, CI_COMMIT_TAG: 'v1', CI_COMMIT_REF_NAME: 'v1' }, undefined, {}],
    [
      'Azure',
      {
        ...azure,
        SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/fix',
        SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
        SYSTEM_PULLREQUEST_PULLREQUESTID: '9',
      },
      undefined,
      { branch: 'fix', pull_request: '9', target_branch: 'main' },
    ],
    ['a tag on Azure', { ...azure, BUILD_SOURCEBRANCH: 'refs/tags/v1' }, undefined, {}],
    [
      'Jenkins',
      { ...jenkins, CHANGE_ID: '4', CHANGE_BRANCH: 'fix', CHANGE_TARGET: 'main', BRANCH_NAME: 'PR-4' },
      undefined,
      { branch: 'fix', pull_request: '4', target_branch: 'main' },
    ],
    ['a tag on Jenkins', { ...jenkins, TAG_NAME: 'v1', BRANCH_NAME: 'v1' }, undefined, {}],
    [
      'Bitbucket',
      {
        BITBUCKET_BUILD_NUMBER: '1',
        BITBUCKET_BRANCH: 'fix',
        BITBUCKET_PR_ID: '5',
        BITBUCKET_PR_DESTINATION_BRANCH: 'main',
      },
      undefined,
      { branch: 'fix', pull_request: '5', target_branch: 'main' },
    ],
    [
      'CircleCI',
      { CIRCLECI: 'true', CIRCLE_BRANCH: 'fix', CIRCLE_PULL_REQUEST: 'https://github.com/shop/web/pull/6' },
      undefined,
      { branch: 'fix', pull_request: '6' },
    ],
    [
      'Buildkite',
      {
        BUILDKITE: 'true',
        BUILDKITE_BRANCH: 'fix',
        BUILDKITE_PULL_REQUEST: '8',
        BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main',
      },
      undefined,
      { branch: 'fix', pull_request: '8', target_branch: 'main' },
    ],
    [
      'a branch on Buildkite',
      { BUILDKITE: 'true', BUILDKITE_BRANCH: 'main', BUILDKITE_PULL_REQUEST: 'false' },
      undefined,
      { branch: 'main' },
    ],
    [
      'another system',
      { RELT_CI_BRANCH: 'fix', RELT_CI_PULL_REQUEST: '10', RELT_CI_TARGET_BRANCH: 'main' },
      undefined,
      { branch: 'fix', pull_request: '10', target_branch: 'main' },
    ],
  ]

  test.each(requests)('%s: which pull request is built', (_, env, event, expected) => {
    const { branch, pull_request, target_branch } = detectCi(env, event) ?? {}
    expect(JSON.parse(JSON.stringify({ branch, pull_request, target_branch }))).toEqual(expected)
  })

  test.each(cases)('of %s', (_, env, found) => {
    expect(detectCi(env)).toEqual(found)
  })

  test('and is none without them', () => {
    expect(detectCi({ PATH: '/bin', GITHUB_ACTIONS: '', RELT_CI_COMMIT: '' })).toBeUndefined()
    for (const CI of ['', '0', 'false', 'False']) expect(detectCi({ CI })).toBeUndefined()
  })

  test('and its own of a system that only says that it is one', () => {
    expect(detectCi({ CI: 'true' })).toEqual({ provider: 'ci' })
    expect(detectCi({ CI: 'true', RELT_CI_PROVIDER: 'woodpecker' })).toEqual({ provider: 'woodpecker' })
    expect(detectCi({ CI: 'true', ...jenkins })?.provider).toBe('jenkins')
  })
})

describe('a pull request in GitHub Actions', () => {
  const env = { ...github, GITHUB_HEAD_REF: 'fix', GITHUB_REF_NAME: '7/merge' }

  test('is told by its head', () => {
    const event = { pull_request: { head: { sha: head } } }
    expect(detectCi(env, event)).toMatchObject({ commit: head, branch: 'fix' })
  })

  test.each([undefined, null, 7, { pull_request: null }, { pull_request: { head: { sha: `${head}\n` } } }])(
    'falls back to the merge where the event is %j',
    (event) => {
      expect(detectCi(env, event)).toMatchObject({ commit: sha, branch: 'fix' })
    },
  )
})

describe('a value that cannot be right is left out', () => {
  test.each<[string, CiEnv]>([
    ['a line break', { RELT_CI_BRANCH: 'main\n::error::x' }],
    ['an escape', { RELT_CI_BRANCH: '\u001b[31mmain' }],
    ['a direction mark', { RELT_CI_BRANCH: 'main\u202e' }],
    ['what is too long', { RELT_CI_BRANCH: 'x'.repeat(301) }],
    ['no address of the web', { RELT_CI_BUILD_URL: 'javascript:alert(1)' }],
    ['no address at all', { RELT_CI_BUILD_URL: 'build 42' }],
  ])('%s', (_, env) => {
    expect(detectCi(env)).toBeUndefined()
  })

  test('a password in an address', () => {
    expect(detectCi({ RELT_CI_BUILD_URL: 'https://a:b@ci.example/42' })?.build_url).toBe('https://ci.example/42')
  })
})

test('whatever the variables are, an upload takes what is found', () => {
  const names = [...new Set(cases.flatMap(([, env]) => Object.keys(env)))]
  const value = fc.oneof(fc.string(), fc.string({ unit: anyCharacter, maxLength: 400 }), fc.constant('true'), anyUrl)
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value, { noNullPrototype: true }), (env) => {
      const ci = detectCi(env)
      expect(clusterReportRoutes.uploadReport.body.safeParse({ ci }).success).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
