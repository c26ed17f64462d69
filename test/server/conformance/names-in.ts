import type * as z from 'zod/mini'

const plain = ['string', 'number', 'boolean', 'enum', 'union', 'transform', 'literal']

/** Every parameter that a shape knows: members in dots, `0` for the items of a list, `*` for those of a record. */
export function namesIn(shape: z.core.$ZodType, before: string[] = []): string[] {
  const { def } = (shape as z.core.$ZodTypes)._zod
  const inner = (name: string, of: z.core.$ZodType) => [[...before, name].join('.'), ...namesIn(of, [...before, name])]
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, of]) => inner(name, of))
    case 'array':
      return inner('0', def.element)
    case 'record':
      return inner('*', def.valueType)
    case 'optional':
    case 'nullable':
    case 'default':
      return namesIn(def.innerType, before)
    case 'pipe':
      return namesIn(def.in, before)
    default:
      if (plain.includes(def.type)) return []
      throw new Error(`No rows can be asked for of ${before.join('.')}, which is a ${def.type}.`)
  }
}
