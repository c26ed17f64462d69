import { invalidParams, missingParams } from '../../errors.ts'
import { isObject } from '../../util/json.ts'
import { apiRoot } from './base-path.ts'
import { readJson } from './body.ts'
import { commonHeaders, replyJson } from './reply.ts'
import type { Bindings, HttpContext, RequestState } from './state.ts'

const maxRequests = 25
const methods = ['POST', 'PUT', 'PATCH', 'DELETE']
/** Headers of a part. The caller is identified once for the whole batch. */
const ownHeaders = ['accept', 'idempotency-key']
const credentials = ['authorization', 'cookie']

interface Part {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
}

type Dispatch = (request: Request, env: Bindings) => Promise<Response>

/** Handles several requests in one: in order, each as if sent alone, with the caller's credentials. */
export async function answerBatch(c: HttpContext, dispatch: Dispatch) {
  const { parts, validateAll } = readBatch(await readJson(c))
  const state = c.get('state')
  const perform = async (inner: 'run' | 'dry') => {
    const answers: Awaited<ReturnType<typeof answerPart>>[] = []
    for (const part of parts) answers.push(await answerPart(part, { state, inner, dispatch }))
    return answers
  }
  if (validateAll) {
    const checked = await perform('dry')
    const failures = checked.map((answer) => (answer.status >= 400 ? answer : null))
    if (failures.some((answer) => answer !== null)) {
      return replyJson(c, { failed: 'validation', responses: failures }, { status: 207 })
    }
  }
  return replyJson(c, { responses: await perform('run') }, { status: 207 })
}

async function answerPart(
  { method, path, headers, body }: Part,
  { state, inner, dispatch }: { state: RequestState; inner: 'run' | 'dry'; dispatch: Dispatch },
) {
  const address = `http://relt.invalid${path.startsWith(`${apiRoot}/`) ? '' : apiRoot}${path}`
  const request = new Request(address, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await dispatch(request, { outer: { state, inner } })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: toHeaders(response), body: isJson ? JSON.parse(text) : text }
}

/** Omits headers that the whole answer has anyway. */
function toHeaders(response: Response) {
  const common = new Headers({ ...commonHeaders(''), 'content-length': '', vary: '', 'strict-transport-security': '' })
  return Object.fromEntries([...response.headers].filter(([name]) => !common.has(name)))
}

function readBatch(body: unknown) {
  if (!isObject(body)) throw invalidParams({ body: 'must be an object' })
  const { validation = 'normal', requests } = body
  if (requests === undefined) throw missingParams({ requests: 'is required' })
  const problems: Record<string, string> = {}
  if (validation !== 'normal' && validation !== 'require-all-validate') {
    problems.validation = 'normal or require-all-validate'
  }
  if (!Array.isArray(requests)) throw invalidParams({ ...problems, requests: 'must be a list' })
  if (requests.length > maxRequests) throw invalidParams({ ...problems, requests: `at most ${maxRequests}` })
  const parts = requests.map((request, index) => readPart(request, `requests.${index}`, problems))
  if (Object.keys(problems).length > 0) throw invalidParams(problems)
  return { parts, validateAll: validation === 'require-all-validate' }
}

function readPart(request: unknown, name: string, problems: Record<string, string>): Part {
  const { method = 'POST', path, headers = {}, body } = isObject(request) ? request : {}
  if (typeof method !== 'string' || !methods.includes(method)) {
    problems[`${name}.method`] = `one of ${methods.join(', ')}`
  }
  if (typeof path !== 'string' || !/^\/(?!\/)[\x21-\x7e]{1,2000}$/.test(path)) {
    problems[`${name}.path`] = 'a path that begins with /'
  }
  if (!isObject(headers)) problems[`${name}.headers`] = 'must be an object'
  if (body !== undefined && body !== null && !isObject(body)) problems[`${name}.body`] = 'must be an object'
  const own: Record<string, string> = {}
  for (const [key, value] of Object.entries(isObject(headers) ? headers : {})) {
    if (credentials.includes(key.toLowerCase())) {
      problems[`${name}.headers.${key}`] = 'credentials belong to the batch, not to its requests'
    }
    if (!ownHeaders.includes(key.toLowerCase())) continue
    if (typeof value === 'string' && /^[\t\x20-\x7e]{0,300}$/.test(value)) own[key.toLowerCase()] = value
    else problems[`${name}.headers.${key}`] = 'a text'
  }
  return { method: String(method), path: String(path), headers: own, body: body ?? undefined }
}
