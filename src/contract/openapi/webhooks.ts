import { eventTypes } from '../choices.ts'
import { type JsonSchema, refTo } from './json-schema.ts'

/** Bodies of generic webhooks, which `notify/generic/standard/` creates. */

const text = { type: 'string' }
const orNull = (type: string) => ({ type: [type, 'null'] })
const time = { type: 'string', format: 'date-time' }
const timeOrNull = { type: ['string', 'null'], format: 'date-time' }
const list = (items: JsonSchema | object) => ({ type: 'array', items })
const severity = { enum: ['none', 'low', 'medium', 'high', 'critical', null] }

function shape(properties: Record<string, unknown>, more: object = {}) {
  return { type: 'object', required: Object.keys(properties), properties, ...more } as JsonSchema
}

const project = shape({ id: { type: 'integer' }, name: text })
const runsIn = list(shape({ cluster: text, environment: text, version: orNull('string') }))
const ofCluster = { cluster: text, environment: text }

function event(types: string[], properties: Record<string, unknown>) {
  return shape({ id: text, type: { enum: types }, occurred_at: time, ...properties })
}

const events: Record<string, JsonSchema> = {
  WebhookReleaseEvent: event(['release.published', 'release.promoted', 'release.security'], {
    project,
    version: text,
    release_type: { enum: ['app', 'helm', 'pre'] },
    published_at: time,
    url: orNull('string'),
    notes_excerpt: orNull('string'),
    has_security_fix: { type: 'boolean' },
    severity,
    advisories: list(text),
    runs_in: runsIn,
  }),
  WebhookCompromisedEvent: event(['artifact.compromised'], {
    ...ofCluster,
    run_id: text,
    artifact: text,
    advice: text,
    source: orNull('string'),
    workloads: list(text),
  }),
  WebhookRegressedEvent: event(['report.regressed'], {
    ...ofCluster,
    run_id: text,
    since: time,
    score: orNull('number'),
    previous_score: orNull('number'),
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    findings: list(
      shape({ check_id: text, check: text, severity: text, namespace: orNull('string'), resource: orNull('string') }),
    ),
  }),
  WebhookGateEvent: event(['gate.failed'], { ...ofCluster, run_id: text, reasons: list(text) }),
  WebhookSilenceEvent: event(['cluster.silent'], {
    ...ofCluster,
    last_report_at: timeOrNull,
    expected_every_seconds: { type: 'integer' },
    ended_at: timeOrNull,
  }),
  WebhookSupportEvent: event(['support.ends'], { project, line: text, ends_at: time, runs_in: runsIn }),
  WebhookExceptionEvent: event(['exception.expires'], {
    exception_id: text,
    subject: text,
    reason: orNull('string'),
    expires_at: time,
  }),
  WebhookTargetEvent: event(['target.disabled'], { channel: text, subscription: orNull('string'), reason: text }),
  WebhookFleetEvent: event(['fleet.report'], { verdict: text, lines: list(text) }),
  WebhookTestEvent: event(['test'], {}),
}

export const webhookSchemas: Record<string, JsonSchema> = {
  ...events,
  WebhookMessage: shape(
    {
      version: { const: 1 },
      type: { enum: [...eventTypes] },
      timestamp: time,
      data: shape({
        title: text,
        events: list({ oneOf: Object.keys(events).map((name) => refTo(name)) }),
        more_events: { type: 'integer', minimum: 0, description: 'Events that had no room; the command lists them.' },
        command: text,
        digest: {
          oneOf: [
            shape({ period: { enum: ['daily', 'weekly'] }, from: time, to: time, time_zone: text }),
            { type: 'null' },
          ],
        },
        links: shape({ page: orNull('string'), settings: orNull('string') }),
      }),
    },
    { description: 'Version 1. Later versions may add members. Times are ISO 8601 in UTC.' },
  ),
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
})

/** Requests to and responses of a receiver of generic webhooks. */
export const webhooks = {
  notification: {
    post: {
      operationId: 'receiveNotification',
      summary: 'Receive a notification',
      description:
        'Standard Webhooks 1.0. Attempts at one message have the same `webhook-id` and body. Any status of 200 to 299 ends them, 410 switches the webhook off.',
      tags: ['Subscriptions'],
      security: [],
      parameters: [
        header('webhook-id', 'Id of the message'),
        header('webhook-timestamp', 'Time of the attempt, unix seconds'),
        header('webhook-signature', '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two during a rotation'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: refTo('WebhookMessage'),
            example: {
              version: 1,
              type: 'test',
              timestamp: '2026-11-20T12:00:00Z',
              data: {
                title: 'Test notification from relt',
                events: [{ id: 'evt_1', type: 'test', occurred_at: '2026-11-20T12:00:00Z' }],
                more_events: 0,
                command: 'relt subs list',
                digest: null,
                links: { page: null, settings: null },
              },
            },
          },
        },
      },
      responses: { 204: { description: 'Received' } },
    },
  },
}
