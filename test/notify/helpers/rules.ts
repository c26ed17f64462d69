import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { openApiDocument } from '../../../src/contract/openapi.ts'
import type { RenderedMail, RenderedPost } from '../../../src/notify/delivery.ts'

/** Checks of rendered messages by the limits and syntax that each service documents, apart from the renderers. */

const { schemas } = openApiDocument('1.0.0').components
const ajv = new Ajv2020({ strict: false, validateFormats: false })
/** The schema as the OpenAPI description has it, without room for other members. */
const isWebhookMessage = ajv.compile({
  ...strict({ components: { schemas } }),
  $ref: '#/components/schemas/WebhookMessage',
})

function strict(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  )
}

const bytes = (text: string) => Buffer.byteLength(text)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not be there
const unseen = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/

function requirePlain(text: string): void {
  expect(text).not.toMatch(unseen)
  expect(text.isWellFormed()).toBe(true)
}

export function checkSlack({ body }: RenderedPost): void {
  requirePlain(body)
  const { text, blocks, ...others } = JSON.parse(body)
  expect(others).toEqual({})
  expect(text.length).toBeGreaterThan(0)
  requireSlackMarkup(text, false)
  expect(blocks.length).toBeLessThanOrEqual(48)
  let all = 0
  for (const block of blocks) {
    if (block.type === 'header') {
      expect(block.text).toMatchObject({ type: 'plain_text', emoji: false })
      expect(block.text.text.length).toBeGreaterThan(0)
      expect(block.text.text.length).toBeLessThanOrEqual(150)
      all += block.text.text.length
      continue
    }
    const texts = block.type === 'section' ? [block.text] : block.elements
    expect(['section', 'context']).toContain(block.type)
    expect(texts.length).toBeLessThanOrEqual(10)
    for (const each of texts) {
      expect(each).toMatchObject({ type: 'mrkdwn', verbatim: true })
      expect(each.text.length).toBeGreaterThan(0)
      expect(each.text.length).toBeLessThanOrEqual(2900)
      requireSlackMarkup(each.text, true)
      all += each.text.length
    }
  }
  expect(all).toBeLessThanOrEqual(12_000)
}

/** Angle brackets only around links of the web; every ampersand is escaped. */
function requireSlackMarkup(text: string, hasLinks: boolean): void {
  const rest = hasLinks ? text.replace(/<https?:\/\/[^\s|<>]+\|[^<>\n]+>/g, '').replace(/^>/gm, '') : text
  expect(rest).not.toMatch(/[<>]/)
  expect(text).not.toMatch(/&(?!amp;|lt;|gt;)/)
}

/** The elements that are used, as the schema of Adaptive Cards 1.4 has them; no others, and no other properties. */
export function checkTeams({ body }: RenderedPost): void {
  requirePlain(body)
  expect(bytes(body)).toBeLessThanOrEqual(25_000)
  const { type, attachments, ...others } = JSON.parse(body)
  expect([type, others, attachments.length]).toEqual(['message', {}, 1])
  expect(attachments[0]).toMatchObject({ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null })
  requireCard(attachments[0].content)
}

type Shape = Record<string, (value: unknown) => void>

/** Thousands of them are checked, which takes `expect` seconds. */
function require(isRight: boolean, value: unknown): void {
  if (!isRight) expect.fail(`not as documented: ${JSON.stringify(value)}`)
}

const text = (value: unknown) => require(typeof value === 'string', value)
const flag = (value: unknown) => require(typeof value === 'boolean', value)
const someText = (value: unknown) => require(typeof value === 'string' && /\S/.test(value), value)
const one =
  (...values: unknown[]) =>
  (value: unknown) =>
    require(values.includes(value), value)
const webAddress = (value: unknown) => require(typeof value === 'string' && /^https?:\/\/[^\s<>"]+$/.test(value), value)
const each = (check: (value: unknown) => void) => (values: unknown) => {
  require(Array.isArray(values) && values.length > 0, values)
  for (const value of values as unknown[]) check(value)
}

function requireShape(value: unknown, shape: Shape, required: string[]): void {
  for (const name of required) require(name in (value as object), value)
  for (const [name, member] of Object.entries(value as object)) {
    require(name in shape, name)
    shape[name]!(member)
  }
}

const openUrl = (value: unknown) =>
  requireShape(value, { type: one('Action.OpenUrl'), title: someText, url: webAddress }, ['type', 'url'])

const textRun = (value: unknown) =>
  requireShape(
    value,
    {
      type: one('TextRun'),
      text,
      color: one('Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'),
      fontType: one('Default', 'Monospace'),
      isSubtle: flag,
      size: one('Default', 'Small', 'Medium', 'Large', 'ExtraLarge'),
      weight: one('Default', 'Lighter', 'Bolder'),
      selectAction: openUrl,
    },
    ['type', 'text'],
  )

const element = (value: unknown) =>
  requireShape(
    value,
    {
      type: one('RichTextBlock'),
      inlines: each(textRun),
      spacing: one('Default', 'None', 'Small', 'Medium', 'Large', 'ExtraLarge', 'Padding'),
      separator: flag,
    },
    ['type', 'inlines'],
  )

export function requireCard(card: unknown): void {
  requireShape(
    card,
    {
      $schema: one('http://adaptivecards.io/schemas/adaptive-card.json'),
      type: one('AdaptiveCard'),
      version: one('1.4'),
      body: each(element),
      actions: (value) => {
        each(openUrl)(value)
        expect((value as unknown[]).length).toBeLessThanOrEqual(6)
      },
      fallbackText: text,
      // An extension of Teams.
      msteams: (value) => expect(value).toEqual({ width: 'Full' }),
    },
    ['type', 'version', 'body'],
  )
}

export function checkStandard({ body }: RenderedPost): void {
  requirePlain(body)
  expect(bytes(body)).toBeLessThanOrEqual(20_000)
  const message = JSON.parse(body)
  const { version, type, timestamp, data } = message
  if (!isWebhookMessage(message)) expect.fail(JSON.stringify(isWebhookMessage.errors?.slice(0, 3)))
  expect(version).toBe(1)
  expect(type).toMatch(/^[a-z]+(\.[a-z]+)?$/)
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(data.events.length + data.more_events).toBeGreaterThan(0)
}

export function checkDiscord({ body }: RenderedPost): void {
  requirePlain(body)
  const { content, embeds, allowed_mentions } = JSON.parse(body)
  expect(allowed_mentions).toEqual({ parse: [] })
  expect(content.length).toBeLessThanOrEqual(2000)
  requireNoMention(body)
  expect(embeds.length).toBeLessThanOrEqual(10)
  let all = 0
  for (const { title, description, url, color, ...others } of embeds) {
    expect(others).toEqual({})
    expect(title.length).toBeGreaterThan(0)
    expect(title.length).toBeLessThanOrEqual(256)
    expect(color).toBeTypeOf('number')
    if (url !== undefined) webAddress(url)
    if (description !== undefined) expect(description.length).toBeLessThanOrEqual(4096)
    all += title.length + (description?.length ?? 0)
  }
  expect(all).toBeLessThanOrEqual(6000)
}

/** Nobody is named by `@`, and no link or image leads anywhere but to an address of ours. */
function requireNoMention(shown: string): void {
  expect(shown).not.toMatch(/@[\p{L}\p{N}&!]/u)
}

export function checkMattermost({ body }: RenderedPost): void {
  requirePlain(body)
  const { text, ...others } = JSON.parse(body)
  expect(others).toEqual({})
  expect(text.length).toBeGreaterThan(0)
  expect(text.length).toBeLessThanOrEqual(4000)
  requireNoMention(text)
  const unescaped = text.replace(/\\./g, '')
  expect(unescaped).not.toContain('![')
  for (const [, target] of unescaped.matchAll(/\]\(([^)]*)\)/g)) webAddress(target)
  expect(unescaped.replace(/\[[^\]]*\]\(https?:\/\/[^)\s]*\)/g, '')).not.toMatch(/https?:\/\//)
}

export function checkGoogleChat({ body }: RenderedPost): void {
  requirePlain(body)
  expect(bytes(body)).toBeLessThanOrEqual(32_000)
  const { cardsV2, ...others } = JSON.parse(body)
  expect([others, cardsV2.length]).toEqual([{}, 1])
  const [{ card }] = cardsV2
  const widgets = card.sections?.[0].widgets ?? []
  expect(widgets.length).toBeLessThanOrEqual(100)
  for (const { textParagraph } of widgets) {
    if (textParagraph) requireTags(textParagraph.text, ['a', 'b', 'i', 'br'])
  }
}

export function checkNtfy({ body }: RenderedPost): void {
  requirePlain(body.replaceAll('\\n', ' '))
  const { topic, title, message, priority, tags, click } = JSON.parse(body)
  expect(topic).toMatch(/^[-_A-Za-z0-9]{1,64}$/)
  expect(bytes(message)).toBeLessThanOrEqual(4096)
  expect(bytes(message)).toBeGreaterThan(0)
  expect(title.length).toBeLessThanOrEqual(250)
  expect(priority).toBeGreaterThanOrEqual(1)
  expect(priority).toBeLessThanOrEqual(5)
  expect(tags).toHaveLength(1)
  if (click !== undefined) webAddress(click)
}

export function checkPagerDuty({ body }: RenderedPost): void {
  requirePlain(body)
  expect(bytes(body)).toBeLessThanOrEqual(512_000)
  const { event_action, dedup_key, payload, links = [] } = JSON.parse(body)
  expect(['trigger', 'resolve']).toContain(event_action)
  expect(dedup_key.length).toBeLessThanOrEqual(255)
  expect(payload.summary.length).toBeGreaterThan(0)
  expect(payload.summary.length).toBeLessThanOrEqual(1024)
  expect(['critical', 'error', 'warning', 'info']).toContain(payload.severity)
  expect(payload.source).not.toBe('')
  for (const { href } of links) webAddress(href)
}

export function checkMail({ subject, text: plain, html, headers }: RenderedMail): void {
  for (const line of [subject, ...Object.values(headers)]) {
    requirePlain(line)
    expect(line).not.toMatch(/[\r\n]/)
  }
  requirePlain(plain)
  requirePlain(html)
  expect(subject.length).toBeGreaterThan(0)
  expect(subject.length).toBeLessThanOrEqual(200)
  expect(bytes(html)).toBeLessThanOrEqual(100_000)
  const body = html.slice(html.indexOf('<body>'), html.indexOf('</html>'))
  requireTags(body, ['body', 'div', 'h1', 'h2', 'p', 'a', 'ul', 'li', 'code', 'span'])
  expect(html.slice(0, html.indexOf('<body>')).match(/<[a-z]+/g)).toEqual([
    '<html',
    '<head',
    ...['<meta', '<meta', '<meta', '<meta'],
    '<title',
    '<style',
  ])
}

/** Every `<` begins a tag of ours; attributes are quoted, known, and addresses lead to the web. */
function requireTags(markup: string, names: string[]): void {
  const tag = /<\/?([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>/g
  expect(markup.replace(tag, '')).not.toMatch(/[<>]/)
  for (const [, name, attributes] of markup.matchAll(tag)) {
    require(names.includes(name!), name)
    for (const [, attribute, value] of attributes!.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      require(['style', 'class', 'href'].includes(attribute!), attribute)
      if (attribute === 'href') webAddress(value)
      else require(/^[\w\s:;#.,%&'-]*$/.test(value!), value)
    }
  }
}
