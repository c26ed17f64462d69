import { ReltError } from '../errors.ts'
import { isUntrusted } from '../util/http-exchange.ts'

/** Why there was no answer, or no complete one. `isLasting`: a retry would fail too. */
export function noAnswer(cause: unknown, { host, maxBytes }: { host: string; maxBytes: number }) {
  const code = codeFor(cause)
  if (code === 'ANSWER_TOO_LARGE') {
    const size = Math.floor(maxBytes / 1024 / 1024)
    return lasting(new ReltError('bad_answer', `The answer of ${host} is larger than ${size} MB.`, { cause }))
  }
  if (isUntrusted(code)) {
    const message = `The certificate of ${host} is not trusted: ${code}.`
    const hint = 'If it is right, name its authority: relt config set ca_file FILE, or RELT_CA_FILE.'
    return lasting(new ReltError('unreachable', message, { hint, cause }))
  }
  if (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE') {
    return lasting(new ReltError('bad_answer', `The answer of ${host} is not a whole gzip stream.`, { cause }))
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    const message = `${host} does not speak HTTPS at this port.`
    const hint = 'If it is a plain HTTP server, use http:// and --insecure-http.'
    return lasting(new ReltError('unreachable', message, { hint, cause }))
  }
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return lasting(new ReltError('bad_answer', `The answer of ${host} is not valid HTTP.`, { cause }))
  }
  if (code === 'unknown') return lasting(new ReltError('internal', `${(cause as Error).message}`, { cause }))
  const why = reasons[code] ?? `the connection failed (${code})`
  return {
    error: new ReltError('unreachable', `${host} does not answer: ${why}.`, {
      hint: 'Check the address and the network, and try again.',
      cause,
    }),
    isLasting: code === 'TimeoutError',
  }
}

const lasting = (error: ReltError) => ({ error, isLasting: true })

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it ended the connection',
  EPIPE: 'it ended the connection',
  UND_ERR_SOCKET: 'it ended the connection',
  ERR_STREAM_PREMATURE_CLOSE: 'it ended the connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'it ended the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'no route leads to it',
  ENETUNREACH: 'no route leads to it',
  ETIMEDOUT: 'it took too long to connect',
  UND_ERR_CONNECT_TIMEOUT: 'it took too long to connect',
  UND_ERR_HEADERS_TIMEOUT: 'it took too long to begin its answer',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its answer',
  TimeoutError: 'it took too long',
  UND_ERR_ABORTED: 'the proxy before it refuses',
}

function codeFor(cause: unknown) {
  const { code, name, errors } = cause as { code?: unknown; name?: string; errors?: unknown[] }
  if (name === 'TimeoutError') return name
  // Several addresses were tried.
  if (code === undefined && Array.isArray(errors) && errors.length > 0) return codeFor(errors[0])
  return typeof code === 'string' ? code : 'unknown'
}
