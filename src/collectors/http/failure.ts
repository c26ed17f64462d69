import { isUntrusted } from '../../util/http-exchange.ts'

const reasons: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is cut off',
  Z_BUF_ERROR: 'the answer is cut off',
  Z_DATA_ERROR: 'the answer cannot be unpacked',
}

/** Error codes without any response from the host. */
const silences = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
])

/** The reason in two parts, because many hosts often share one. */
export interface NoAnswer {
  host: string
  why: string
}

const kind = 'unreachable' as const

/** The answer in place of none, without the URL, which may be confidential. */
export function toFailure(error: unknown, { host, maxBytes }: { host: string; maxBytes: number }) {
  const { code = 'no answer', message, name } = error as Error & { code?: string }
  if (code === 'ADDRESS_REFUSED') return { answer: { kind, reason: message } }
  if (code === 'ANSWER_TOO_LARGE')
    return { answer: ofHost({ host, why: `the answer is larger than ${Math.floor(maxBytes / 2 ** 20)} MiB` }) }
  if (name === 'TimeoutError') return { answer: ofHost({ host, why: 'the answer took too long' }), isPassing: true }
  if (isUntrusted(code)) {
    const reason = `the certificate of ${host} is not trusted, see RELT_CA_FILE: ${code}`
    return { answer: { kind, reason }, isSilence: true }
  }
  const answer = ofHost({ host, why: reasons[code] ?? code })
  return { answer, isPassing: code !== 'ENOTFOUND', isSilence: silences.has(code) }
}

export function ofHost(noAnswer: NoAnswer) {
  return { kind, reason: `${noAnswer.host}: ${noAnswer.why}`, noAnswer }
}
