import dns from 'node:dns'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { deliver as deliverEmail } from '../../src/notify/email/deliver.ts'
import { openMailTransport, type SmtpSettings } from '../../src/notify/email/transport.ts'
import { canMakeCertificates, makeCertificate } from '../helpers/tls-server.ts'
import { digest, links, message, noLinks, release, samples } from './helpers/messages.ts'
import { secretFor, tools } from './helpers/receiver.ts'
import { checkMail } from './helpers/rules.ts'
import { openSmtp, type Received } from './helpers/smtp.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function open(settings: Partial<SmtpSettings> & { port: number }) {
  const mail = openMailTransport({
    host: '127.0.0.1',
    isImplicitTls: false,
    user: undefined,
    password: undefined,
    from: 'relt <relt@relt.example>',
    perSecond: 100,
    ca: undefined,
    timeoutMs: 5000,
    ...settings,
  })
  onTestFinished(() => mail.close())
  return tools({ mail })
}

/** Every name is that of another machine, as far as relt knows. */
function resolveToThisMachine(): void {
  const answer = ((_: string, then: (...args: unknown[]) => void) => then(null, ['127.0.0.1'])) as never
  for (const resolver of [dns, dns.Resolver.prototype]) vi.spyOn(resolver, 'resolve4').mockImplementation(answer)
}

const ada = secretFor('ada@example.com')

describe('a mail', () => {
  test('arrives with text, HTML and the headers of a list', async () => {
    const { port, received } = await openSmtp()
    const sent = message([release()])
    const outcome = await deliverEmail.send(sent, ada, open({ port }))
    expect(outcome).toEqual({ result: 'accepted', httpStatus: null })
    const [{ from, to, mail }] = received as [Received]
    expect([from, to]).toEqual(['relt@relt.example', ['ada@example.com']])
    expect(mail.subject).toBe('Security fix (critical): Argo CD v3.2.1')
    expect(mail.messageId).toBe('<msg_2Kx@relt.example>')
    expect(mail.references).toBe('<project-7@relt.example>')
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-id': 'relt notifications <notifications.relt.example>',
      'list-unsubscribe': `<${links.unsubscribe}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
    expect(mail.text).toContain('Runs in: prod-eu (v3.1.0), prod-us (v3.1.0) and 1 more')
    expect(mail.html).toContain('relt projects releases 7 v3.2.1')
    checkMail({ kind: 'mail', subject: mail.subject!, text: mail.text!, html: mail.html!, headers: {} })
  })

  test('keeps its id in each attempt, and its thread with the project', async () => {
    const { port, received } = await openSmtp()
    const open2 = open({ port })
    for (const id of ['msg_a', 'msg_a', 'msg_b']) await deliverEmail.send(message([release()], { id }), ada, open2)
    expect(received.map(({ mail }) => mail.messageId)).toEqual([
      '<msg_a@relt.example>',
      '<msg_a@relt.example>',
      '<msg_b@relt.example>',
    ])
    expect(new Set(received.map(({ mail }) => mail.references)).size).toBe(1)
  })

  test('without a public address has no header to unsubscribe', async () => {
    const { port, received } = await openSmtp()
    await deliverEmail.send(message([release()], { links: noLinks }), ada, open({ port }))
    expect(received[0]!.mail.headers.map(({ key }) => key)).not.toContain('list-unsubscribe')
  })

  test('has no header, receiver or markup from foreign text', async () => {
    const { port, received } = await openSmtp()
    const name = 'x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>'
    const notes = '<img src=x onerror=alert(1)><script>alert(2)</script>"><b>bold'
    await deliverEmail.send(message([release({ project: { id: 1, name }, notes, version: name })]), ada, open({ port }))
    const [{ mail, to }] = received as [Received]
    expect(to).toEqual(['ada@example.com'])
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail.html).not.toMatch(/<script|<img|onerror=alert\(1\)>/)
    expect(mail.subject).toContain('<script>')
  })

  test.each([
    'a@example.com, b@example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    '<a@example.com>',
    'a@b@c',
    '',
  ])('goes to no address like %j', async (address) => {
    const { port, received } = await openSmtp()
    expect(await deliverEmail.send(message([release()]), secretFor(address), open({ port }))).toMatchObject({
      result: 'refused',
    })
    expect(received).toEqual([])
  })

  test('with a digest of 5,000 releases is at most 100 kB', async () => {
    const { port, received } = await openSmtp()
    const releases = Array.from({ length: 5000 }, (_, i) => release({ id: `e${i}`, version: `v${i}` }))
    await deliverEmail.send(digest(releases), ada, open({ port }))
    const { html, text, subject } = received[0]!.mail
    expect(subject).toBe('Daily digest: 5,000 events, 5,000 security fixes')
    expect(Buffer.byteLength(html!)).toBeLessThanOrEqual(100_000)
    expect(text).toMatch(/and \d,\d{3} more: relt feed --days 1/)
  })

  test('leaves once a second at most, if the rate says so', async () => {
    const { port, received } = await openSmtp()
    const slow = open({ port, perSecond: 4 })
    const began = performance.now()
    await Promise.all(
      Object.values(samples)
        .slice(0, 4)
        .map((event) => deliverEmail.send(message([event]), ada, slow)),
    )
    expect(received).toHaveLength(4)
    // Three pauses of a quarter of a second, less the grain of timers.
    expect(performance.now() - began).toBeGreaterThan(700)
  })
})

describe('the mail server', () => {
  test.each<[string, SMTPServerOptions, object]>([
    [
      'refuses the receiver',
      { onRcptTo: (_, __, then) => then(Object.assign(new Error('secret words'), { responseCode: 550 })) },
      { result: 'refused', reason: 'the mail server refuses the mail (SMTP 550)' },
    ],
    [
      'is busy',
      { onMailFrom: (_, __, then) => then(Object.assign(new Error('later'), { responseCode: 451 })) },
      { result: 'retry', reason: 'the mail server is busy (SMTP 451)' },
    ],
  ])('%s', async (_, options, outcome) => {
    const { port } = await openSmtp(options)
    expect(await deliverEmail.send(message([release()]), ada, open({ port }))).toMatchObject(outcome)
  })

  test('refuses the sign-in', async () => {
    const { port, received } = await openSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, then) =>
        username === 'ada' && password === 'right' ? then(null, { user: 'ada' }) : then(new Error('no')),
    })
    expect(await deliverEmail.send(message([release()]), ada, open({ port, user: 'ada', password: 'wrong' }))).toEqual({
      result: 'retry',
      reason: 'the mail server refuses the sign-in',
      httpStatus: null,
      retryAfterSeconds: null,
    })
    const right = open({ port, user: 'ada', password: 'right' })
    expect(await deliverEmail.send(message([release()]), ada, right)).toMatchObject({ result: 'accepted' })
    expect(received).toHaveLength(1)
  })

  test('on another machine has to offer TLS before anything is sent', async () => {
    const { port, received } = await openSmtp()
    resolveToThisMachine()
    const far = open({ port, host: 'mail.example' })
    expect(await deliverEmail.send(message([release()]), ada, far)).toMatchObject({
      result: 'retry',
      reason: 'no TLS with the mail server',
    })
    expect(received).toEqual([])
  })

  test.runIf(canMakeCertificates)('on another machine gets sign-in and mail after STARTTLS', async () => {
    const { cert, key } = makeCertificate('DNS:mail.example')
    const isSecure: boolean[] = []
    const { port, received } = await openSmtp({
      cert,
      key,
      disabledCommands: [],
      onAuth: (_, { secure }, then) => {
        isSecure.push(secure)
        then(null, { user: 'ada' })
      },
    })
    resolveToThisMachine()
    const far = open({ port, host: 'mail.example', ca: [cert], user: 'ada', password: 'right' })
    expect(await deliverEmail.send(message([release()]), ada, far)).toMatchObject({ result: 'accepted' })
    expect([received[0]?.isTls, isSecure]).toEqual([true, [true]])
  })

  test.runIf(canMakeCertificates)('is trusted by its certificate only', async () => {
    const { cert, key } = makeCertificate()
    const { port, received } = await openSmtp({ secure: true, cert, key })
    const trusting = open({ port, isImplicitTls: true, ca: [cert] })
    expect(await deliverEmail.send(message([release()]), ada, trusting)).toMatchObject({ result: 'accepted' })
    expect(received[0]!.isTls).toBe(true)
    const other = open({ port, isImplicitTls: true })
    expect(await deliverEmail.send(message([release()]), ada, other)).toMatchObject({
      result: 'retry',
      reason: 'no TLS with the mail server',
    })
    expect(received).toHaveLength(1)
  })

  test('that is not set up sends nothing', async () => {
    expect(await deliverEmail.send(message([release()]), ada, tools())).toMatchObject({ result: 'refused' })
  })
})
