import * as z from 'zod/mini'
import { Id, requiredText } from './shape.ts'

export const LabelInput = z.object({
  label_name: requiredText(100),
  /** `#rrggbb`. */
  label_color: z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color such as #1f6feb' })),
})
export type LabelInput = z.infer<typeof LabelInput>

const fields = { label_name: z.string(), label_color: z.string() } satisfies Record<keyof LabelInput, z.ZodMiniType>

export const Label = z.object({ id: Id, ...fields, subscription_count: z.int() })
export type Label = z.infer<typeof Label>
