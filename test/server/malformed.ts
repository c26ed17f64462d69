/** Requests that are wrong at the level of bytes, always the same ones for a seed. */
export function* malformedRequests(seed: number, count: number): Generator<Buffer> {
  const random = randomFrom(seed)
  for (let i = 0; i < count; i++) yield Buffer.from(kinds[i % kinds.length]!(random), 'latin1')
}

type Random = (below: number) => number

function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!
const noise = (random: Random, length: number) =>
  Array.from({ length }, () => String.fromCharCode(random(256))).join('')

const paths = ['/stats', '/projects?page=1', '/toggle-sub', '/cluster-reports', '/session', '/projects/1/releases']
const head = (random: Random, lines: string[], method = 'POST') =>
  [`${method} /api/relt/v1${pick(random, paths)} HTTP/1.1`, 'Host: relt.test', ...lines, '', ''].join('\r\n')
const json = 'Content-Type: application/json'
const body = '{"product_id":1,"username":"ada","password":"x","report":{"checks":{}}}'

function chunked(random: Random, chunks: string): string {
  return head(random, [json, 'Transfer-Encoding: chunked']) + chunks
}

const kinds: ((random: Random) => string)[] = [
  // Chunks that are none.
  (random) =>
    chunked(
      random,
      `${pick(random, ['-1', 'zz', '', '0x5', 'ffffffffffffffffff', ' 5', '5;', '1e1'])}\r\n${body}\r\n0\r\n\r\n`,
    ),
  (random) => chunked(random, `${(body.length + random(20) - 10).toString(16)}\r\n${body}\r\n0\r\n\r\n`),
  (random) => chunked(random, `${body.length.toString(16)}${pick(random, ['\n', '\r', '\r\r\n', ''])}${body}0\r\n\r\n`),
  (random) => chunked(random, `${body.length.toString(16)}\r\n${body.slice(0, random(body.length))}`),
  (random) => chunked(random, `5;${noise(random, 200)}\r\n12345\r\n0\r\n\r\n`),
  (random) => chunked(random, `0\r\n${'X-Trailer: y\r\n'.repeat(random(2000))}\r\n`),
  // Lengths that are wrong.
  (random) =>
    head(random, [
      json,
      `Content-Length: ${pick(random, ['-1', 'abc', '1e3', '+5', '0x10', '99999999999999999999', '5, 5', ''])}`,
    ]) + body,
  (random) => head(random, [json, `Content-Length: ${body.length + 1 + random(1000)}`]) + body,
  (random) => head(random, [json, `Content-Length: ${random(body.length)}`]) + body,
  (random) => head(random, [json, 'Content-Length: 5', 'Content-Length: 6']) + body,
  (random) => head(random, [json, 'Content-Length: 5', 'Transfer-Encoding: chunked']) + body,
  (random) =>
    head(random, [
      json,
      `Transfer-Encoding: ${pick(random, ['gzip', 'identity', 'chunked, chunked', 'x', 'chunked;a'])}`,
    ]) + body,
  (random) => head(random, [json, 'Content-Length: 104857601']) + body,
  // Heads that are too large, or none.
  (random) => head(random, [`X-Large: ${'x'.repeat(16_000 + random(50_000))}`], 'GET'),
  (random) =>
    head(
      random,
      Array.from({ length: 1000 + random(2000) }, (_, i) => `X-${i}: y`),
      'GET',
    ),
  (random) => `GET /${'a'.repeat(16_000 + random(10_000))} HTTP/1.1\r\nHost: relt.test\r\n\r\n`,
  (random) =>
    `${pick(random, ['', 'G@T', 'GET', 'get', 'POST POST', '\0'])} ${pick(random, ['/', '*', '//', 'http://', '/\0', '\\', 'x:y'])} HTTP/${pick(random, ['1.1', '2.0', '0.9', '9', ''])}\r\nHost: relt.test\r\n\r\n`,
  (random) =>
    `GET ${pick(random, ['//evil', 'http://[::1', 'http://a b/', '/%', '/%zz', '/..//..', '?', '#', 'https://x:99999/'])} HTTP/1.1\r\nHost: relt.test\r\n\r\n`,
  (random) =>
    `GET /api/relt/v1/stats HTTP/1.1\r\nHost: ${pick(random, ['', 'a b', '[', 'x/y', '@', 'a:b:c', '\xff', '?', 'x'.repeat(5000)])}\r\n\r\n`,
  (random) =>
    `GET /api/relt/v1/stats HTTP/1.1\r\n${pick(random, ['', 'Host: a\r\nHost: b\r\n', ': x\r\n', 'Host\r\n', ' Host: x\r\n', 'A\0: b\r\n', 'A : b\r\n'])}\r\n`,
  (random) => `GET /api/relt/v1/stats HTTP/1.${random(2)}\n${pick(random, ['Host: x\n', ''])}\n`,
  (random) => head(random, [`Expect: ${pick(random, ['100-continue', 'x', ''])}`, 'Content-Length: 10'], 'POST'),
  (random) =>
    head(
      random,
      [`Upgrade: ${pick(random, ['websocket', 'h2c'])}`, 'Connection: Upgrade'],
      pick(random, ['GET', 'POST']),
    ),
  (random) =>
    `CONNECT ${pick(random, ['example.com:443', '/', ''])} HTTP/1.1\r\nHost: relt.test\r\n\r\n${noise(random, 50)}`,
  // Other protocols, and noise.
  (random) => `\x16\x03\x01\x02\x00\x01\x00${noise(random, 512)}`,
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  (random) => noise(random, 1 + random(3000)),
  (random) => '\r\n'.repeat(random(5000)),
  // Good heads with bodies or headers that are not.
  (random) => head(random, [json, 'Content-Encoding: gzip', 'Content-Length: 60']) + noise(random, 60),
  (random) =>
    head(
      random,
      [
        `Authorization: Basic ${noise(random, 30).replace(/[\r\n\0]/g, 'x')}`,
        `Cookie: ${noise(random, 30).replace(/[\r\n\0]/g, 'y')}`,
      ],
      'GET',
    ),
  (random) => head(random, [json, 'Content-Length: 200']) + noise(random, 200),
  // A good request with some of its bytes changed.
  (random) => changed(random, head(random, [json, `Content-Length: ${body.length}`]) + body),
  (random) => changed(random, chunked(random, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)),
]

function changed(random: Random, text: string): string {
  let bytes = text
  for (let i = 1 + random(5); i > 0; i--) {
    const at = random(bytes.length)
    const inserted = pick(random, ['', '\0', '\r', '\n', ' ', ':', '\xff', '\r\n\r\n'])
    bytes = bytes.slice(0, at) + inserted + bytes.slice(at + random(3))
  }
  return bytes
}
