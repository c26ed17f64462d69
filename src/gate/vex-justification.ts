/** OpenVEX justifications: reasons why a product with a vulnerable component is not affected. */
export const vexJustifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const
export type VexJustification = (typeof vexJustifications)[number]

export function isJustification(text: string | undefined): text is VexJustification {
  return (vexJustifications as readonly (string | undefined)[]).includes(text)
}
