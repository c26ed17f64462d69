import { string } from '../../read.ts'
import { object, objects } from '../values.ts'

type Values = Record<string, unknown>

export interface Rule {
  id: string
  name: string
  /** By id: what the message of a result may refer to. */
  messages: Values
  level: unknown
  properties: Values
}

/** The rules of a run's tool. */
export class Rules {
  readonly all: Rule[]
  readonly #byId: Map<string, Rule>

  constructor(driver: Values) {
    this.all = objects(driver.rules).map(readRule)
    this.#byId = new Map(this.all.map((rule) => [rule.id, rule]))
  }

  /** By index or id, in the result itself or in its `rule`; a log may leave its rules out. */
  of(result: Values): Rule {
    const reference = object(result.rule)
    const index = result.ruleIndex ?? reference.index
    const id = string(result.ruleId) ?? string(reference.id) ?? 'unknown'
    return (typeof index === 'number' ? this.all[index] : undefined) ?? this.#byId.get(id) ?? readRule({ id })
  }
}

function readRule(rule: Values): Rule {
  const id = string(rule.id) ?? 'unknown'
  return {
    id,
    name: string(object(rule.shortDescription).text) ?? string(rule.name) ?? id,
    messages: object(rule.messageStrings),
    level: object(rule.defaultConfiguration).level,
    properties: object(rule.properties),
  }
}
