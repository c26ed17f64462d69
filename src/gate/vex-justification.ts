import { vexJustifications } from '../contract/choices.ts'

export type VexJustification = (typeof vexJustifications)[number]

export function isJustification(text: string | undefined): text is VexJustification {
  return (vexJustifications as readonly (string | undefined)[]).includes(text)
}
