import { createServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { channelTable } from '../../src/contract/channel-table.ts'
import { deliver as deliverGeneric } from '../../src/notify/generic/deliver.ts'
import { newSigningSecret } from '../../src/notify/generic/standard/sign.ts'
import type { ClusterSilentEvent } from '../../src/notify/message.ts'
import { deliver as deliverSlack } from '../../src/notify/slack/deliver.ts'
import { deliver as deliverTeams } from '../../src/notify/teams/deliver.ts'
import { digest, message, release, samples } from './helpers/messages.ts'
import { listen, openReceiver, secretFor, tools } from './helpers/receiver.ts'
import { checkSlack, checkTeams, requireCard } from './helpers/rules.ts'

const sample = message([release()])

/** A receiver that answers with a status and a body, and the outcome of one attempt. */
async function attempt(
  delivery: typeof deliverSlack,
  [status, body = '', headers = {}]: [status: number, body?: string, headers?: Record<string, string>],
) {
  const receiver = await openReceiver((_, response) => response.writeHead(status, headers).end(body))
  return delivery.send(sample, secretFor(`${receiver.url}/services/T0/B0/x`), tools())
}

describe('Slack', () => {
  test('gets a message within its limits', async () => {
    const receiver = await openReceiver((_, response) => response.end('ok'))
    const outcome = await deliverSlack.send(
      digest([release(), ...Object.values(samples)]),
      secretFor(receiver.url),
      tools(),
    )
    expect(outcome).toEqual({ result: 'delivered', httpStatus: 200 })
    const [{ headers, body }] = receiver.requests as [(typeof receiver.requests)[0]]
    expect(headers['content-type']).toBe('application/json')
    checkSlack({ kind: 'post', contentType: 'application/json', body })
  })

  test.each<[Parameters<typeof attempt>[1], object]>([
    [[404, 'no_service'], { result: 'gone', reason: 'no_service' }],
    [[410, 'channel_is_archived'], { result: 'gone', reason: 'channel_is_archived' }],
    [[403, 'invalid_token'], { result: 'gone', reason: 'invalid_token' }],
    [[404, '<html>secret</html>'], { result: 'gone', reason: 'the webhook is gone' }],
    [[403, 'action_prohibited'], { result: 'refused', reason: 'action_prohibited' }],
    [[400, 'invalid_payload'], { result: 'refused', reason: 'invalid_payload' }],
    [[400, 'root:x:0:0'], { result: 'refused', reason: 'not accepted' }],
    [[302, '', { location: 'http://169.254.169.254/' }], { result: 'refused', reason: 'the receiver redirects' }],
    [[429, '', { 'retry-after': '30' }], { result: 'retry', reason: 'rate limited', retryAfterSeconds: 30 }],
    [[429, '', { 'retry-after': '999999' }], { result: 'retry', retryAfterSeconds: 3600 }],
    [[408], { result: 'retry' }],
    [[425], { result: 'retry' }],
    [[500, 'no_service'], { result: 'retry', reason: 'the receiver failed' }],
    [[503], { result: 'retry', retryAfterSeconds: null }],
  ])('answers %j', async (answer, outcome) => {
    expect(await attempt(deliverSlack, answer)).toMatchObject({ ...outcome, httpStatus: answer[0] })
  })
})

describe('Teams', () => {
  test('gets a message with a card; 202 is accepted, not delivered', async () => {
    const receiver = await openReceiver((_, response) => response.writeHead(202).end())
    const outcome = await deliverTeams.send(sample, secretFor(receiver.url), tools())
    expect(outcome).toEqual({ result: 'accepted', httpStatus: 202 })
    checkTeams({ kind: 'post', contentType: 'application/json', body: receiver.requests[0]!.body })
  })

  test('gets the bare card if the address says so', async () => {
    const receiver = await openReceiver((_, response) => response.writeHead(202).end())
    await deliverTeams.send(sample, secretFor(`${receiver.url}/workflows/x?sig=y#format=card`), tools())
    const [{ url, body }] = receiver.requests as [(typeof receiver.requests)[0]]
    expect(url).toBe('/workflows/x?sig=y')
    requireCard(JSON.parse(body))
  })

  test.each<[Parameters<typeof attempt>[1], object]>([
    [[400, '{"error":{"code":"WorkflowTriggerIsNotEnabled","message":"x"}}'], { result: 'gone' }],
    [[404, '{"error":{"code":"WorkflowNotFound"}}'], { result: 'gone', reason: 'WorkflowNotFound' }],
    [[400, '{}'], { result: 'refused' }],
    [[429], { result: 'retry' }],
  ])('answers %j', async (answer, outcome) => {
    expect(await attempt(deliverTeams, answer)).toMatchObject(outcome)
  })

  test.each([
    'https://contoso.webhook.office.com/webhookb2/1@2/IncomingWebhook/3/4',
    'https://outlook.office.com/webhook/1@2/IncomingWebhook/3/4',
    'https://outlook.office365.com/webhook/1@2/IncomingWebhook/3/4',
  ])('has retired %s, which is not asked', async (address) => {
    expect(channelTable.teams.problemFor?.(new URL(address))).toContain('Workflows')
    expect(await deliverTeams.send(sample, secretFor(address), tools())).toMatchObject({ result: 'gone' })
  })
})

describe('a generic webhook', () => {
  test('is signed so that an independent library verifies it, with each secret of a rotation', async () => {
    const secrets = [newSigningSecret(), newSigningSecret()]
    const receiver = await openReceiver((_, response) => response.writeHead(204).end())
    const target = secretFor(`${receiver.url}/hook`)
    const sent = message([release({ project: { id: 1, name: 'Überprüfung \u{1f512}' } })])
    expect(await deliverGeneric.send(sent, target, tools({ signingSecrets: secrets }))).toMatchObject({
      result: 'delivered',
    })
    const [{ headers, body }] = receiver.requests as [(typeof receiver.requests)[0]]
    expect(headers['webhook-id']).toBe(sent.id)
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ version: 1 })
    }
    expect(() => new Webhook(newSigningSecret()).verify(body, headers as Record<string, string>)).toThrow()
  })

  test('has the same id and body in each attempt', async () => {
    const receiver = await openReceiver((_, response) => response.writeHead(500).end())
    for (const attempt of [1, 2]) {
      await deliverGeneric.send({ ...sample, attempt }, secretFor(receiver.url), tools({ now: () => 1000 + attempt }))
    }
    const [first, second] = receiver.requests as [(typeof receiver.requests)[0], (typeof receiver.requests)[0]]
    expect(first.body).toBe(second.body)
    expect(first.headers['webhook-id']).toBe(second.headers['webhook-id'])
    expect([first.headers['webhook-timestamp'], second.headers['webhook-timestamp']]).toEqual(['1001', '1002'])
  })

  test('that is gone ends the target', async () => {
    expect(await attempt(deliverGeneric, [410])).toMatchObject({ result: 'gone' })
    expect(await attempt(deliverGeneric, [404])).toMatchObject({ result: 'refused' })
  })

  test('that nobody answers is retried', async () => {
    const server = createServer()
    const port = await listen(server, '127.0.0.1')
    server.close()
    expect(await deliverGeneric.send(sample, secretFor(`http://127.0.0.1:${port}/`), tools())).toEqual({
      result: 'retry',
      reason: 'connection refused',
      httpStatus: null,
      retryAfterSeconds: null,
    })
  })

  test('to ntfy goes to the server itself, with the topic in the body', async () => {
    const receiver = await openReceiver((_, response) => response.end('{}'))
    await deliverGeneric.send(sample, secretFor(`${receiver.url}/base/alerts?auth=x#format=ntfy`), tools())
    expect(receiver.requests[0]!.url).toBe('/base?auth=x')
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({ topic: 'alerts', priority: 5 })
  })

  test('to PagerDuty carries its key, and the end of a silence resolves what its beginning opened', async () => {
    const receiver = await openReceiver((_, response) => response.writeHead(202).end('{"status":"success"}'))
    const target = secretFor(`${receiver.url}/v2/enqueue#format=pagerduty&routing_key=${'k'.repeat(32)}`)
    const silent = samples['cluster.silent'] as ClusterSilentEvent
    const outcome = await deliverGeneric.send(message([silent]), target, tools())
    expect(outcome).toEqual({ result: 'accepted', httpStatus: 202 })
    await deliverGeneric.send(message([{ ...silent, endedAt: 1 }]), target, tools())
    const [opened, resolved] = receiver.requests.map(({ body }) => JSON.parse(body))
    expect(opened).toMatchObject({ routing_key: 'k'.repeat(32), event_action: 'trigger' })
    expect(resolved).toMatchObject({ event_action: 'resolve', dedup_key: opened.dedup_key })
    expect(receiver.requests[0]!.url).toBe('/v2/enqueue')
  })

  test.each([
    ['https://discord.com/api/webhooks/1/x', 'embeds'],
    ['https://ptb.discord.com/api/webhooks/1/x', 'embeds'],
    ['https://chat.googleapis.com/v1/spaces/x/messages?key=y&token=z', 'cardsV2'],
    ['https://ntfy.sh/alerts', 'topic'],
    [`https://events.eu.pagerduty.com/v2/enqueue#routing_key=${'k'.repeat(32)}`, 'routing_key'],
    ['https://mattermost.example/hooks/x#format=mattermost', 'text'],
    ['https://rocket.example/hooks/x/y#format=rocketchat', 'text'],
    ['https://discord.com.evil.example/api/webhooks/1/x', 'version'],
    ['https://hooks.example/x#format=standard', 'version'],
  ])('at %s has the format of its service', (address, member) => {
    const rendered = deliverGeneric.render(sample, secretFor(address))
    expect(rendered.kind === 'post' && Object.keys(JSON.parse(rendered.body))).toContain(member)
  })
})
