import type { FixDraft } from './draft.ts'

/** Check id → function that adds the commands of its fix. */
export type Fixes = Record<string, (draft: FixDraft) => unknown>
