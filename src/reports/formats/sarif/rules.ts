import { isObject } from '../../../util/json.ts'
import { readRecommendation, readUrl } from '../../guidance.ts'
import { string } from '../../text.ts'
import { misspelt, object, objects, type Values } from '../values.ts'

export interface SarifRule {
  id: string
  name: string
  /** Message templates by id. */
  messages: Values
  level: unknown
  properties: Values
  /** A field that decides the severity is missing or invalid. */
  isUnsure: boolean
  recommendation: string | undefined
  url: string | undefined
}

/** The rules of a run's tool, from its driver and extensions. */
export class Rules {
  readonly all: SarifRule[]
  readonly #driver: SarifRule[]
  readonly #extensions: SarifRule[][]
  readonly #byId: Map<string, SarifRule>

  constructor({ driver, extensions }: Values) {
    this.#driver = readRules(object(driver))
    this.#extensions = objects(extensions).map(readRules)
    this.all = [this.#driver, ...this.#extensions].flat()
    this.#byId = new Map(this.all.map((rule) => [rule.id, rule]))
  }

  /** Finds the rule by index or id, in the result or in its `rule`; a log may omit its rules. */
  of(result: Values): SarifRule {
    const reference = object(result.rule)
    const index = result.ruleIndex ?? reference.index
    const given = string(result.ruleId) ?? string(reference.id)
    const id = given ?? 'unknown'
    const extension = object(reference.toolComponent).index
    const rules = typeof extension === 'number' && extension >= 0 ? (this.#extensions[extension] ?? []) : this.#driver
    const indexed = typeof index === 'number' ? rules[index] : undefined
    if (indexed && isRuleOf(given, indexed)) return indexed
    const isPromised = index !== undefined && index !== -1
    return this.#byId.get(id) ?? { ...readRule({ id }), isUnsure: isPromised }
  }
}

/** An id may name a part of a rule: `CA2101/A`. Some tools write index 0 for every result: then the id decides. */
function isRuleOf(id: string | undefined, rule: SarifRule) {
  return id === undefined || id === rule.id || id.startsWith(`${rule.id}/`)
}

const readRules = (component: Values) => objects(component.rules).map(readRule)

function readRule(rule: Values): SarifRule {
  const id = string(rule.id) ?? 'unknown'
  return {
    id,
    name: string(object(rule.shortDescription).text) ?? string(rule.name) ?? id,
    messages: object(rule.messageStrings),
    level: object(rule.defaultConfiguration).level,
    properties: object(rule.properties),
    isUnsure:
      misspelt(rule, ['defaultConfiguration', 'properties']) !== undefined ||
      misspelt(object(rule.defaultConfiguration), ['level']) !== undefined ||
      [rule.defaultConfiguration, rule.properties].some((part) => part !== undefined && !isObject(part)),
    recommendation: readRecommendation(object(rule.help).text),
    url: readUrl(rule.helpUri),
  }
}
