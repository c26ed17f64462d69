import { expect, test } from 'vitest'
import { commentMarker } from '../../../src/ci/comment/body.ts'
import { findCommentPlace } from '../../../src/ci/comment/place.ts'

const github = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'shop/web', GITHUB_TOKEN: 't' }
const gitlab = {
  ...{ GITLAB_CI: 'true', CI_API_V4_URL: 'https://git.example/api/v4', CI_PROJECT_ID: '9' },
  ...{ CI_MERGE_REQUEST_IID: '3', GITLAB_TOKEN: 't' },
}

test('finds the request of GitHub by the event, else by the ref', () => {
  const byEvent = findCommentPlace(github, { pull_request: { number: 5 } })
  expect(byEvent).toMatchObject({
    place: { api: 'https://api.github.com', comments: '/repos/shop/web/issues/5/comments' },
  })
  const byRef = findCommentPlace({ ...github, GITHUB_REF: 'refs/pull/6/merge' }, undefined)
  expect(byRef).toMatchObject({ place: { comments: '/repos/shop/web/issues/6/comments' } })
})

test('finds the request of GitLab by its variables', () => {
  const notes = '/projects/9/merge_requests/3/notes'
  expect(findCommentPlace(gitlab, undefined)).toMatchObject({ place: { comments: notes, comment: notes } })
})

test.each([
  ['no CI system', {}, 'GitHub Actions and GitLab CI only'],
  ['a push to a branch', { ...github, GITHUB_REF: 'refs/heads/main' }, 'not of a pull request'],
  ['no token', { ...github, GITHUB_TOKEN: '', GITHUB_REF: 'refs/pull/1/merge' }, 'set GITHUB_TOKEN'],
  ['a branch on GitLab', { ...gitlab, CI_MERGE_REQUEST_IID: '' }, 'not of a merge request'],
  ['the token of a job', { ...gitlab, GITLAB_TOKEN: '' }, 'not CI_JOB_TOKEN'],
  ['an API without encryption', { ...gitlab, CI_API_V4_URL: 'http://git.example/api/v4' }, 'do not name its API'],
  ['a number that is a path', { ...gitlab, CI_MERGE_REQUEST_IID: '3/../4' }, 'do not name its API'],
  ['a repository that is a path', { ...github, GITHUB_REPOSITORY: '../x/y', GITHUB_REF: 'refs/pull/1/merge' }, 'API'],
])('says why there is no place: %s', (_, env, reason) => {
  expect(findCommentPlace(env, undefined)).toEqual({ missing: expect.stringContaining(reason) })
})

test('the marker of a cluster is one HTML comment, whatever its name', () => {
  const run = (cluster_name: string, environment: string | null) => ({ cluster_name, environment }) as never
  const names = ['prod', '--><script>', 'é'.repeat(90), '>>>???', '-'.repeat(30)]
  const markers = names.flatMap((name) => [commentMarker(run(name, null)), commentMarker(run(name, 'eu'))])
  for (const marker of markers) expect(marker).toMatch(/^<!-- relt gate [\w.]+ -->$/)
  expect(new Set(markers).size).toBe(markers.length)
})
