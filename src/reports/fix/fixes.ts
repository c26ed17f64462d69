import type { FixDraft } from './draft.ts'

/** What each check proposes, by its id. */
export type Fixes = Record<string, (draft: FixDraft) => unknown>
