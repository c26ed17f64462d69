import type { z } from 'zod/mini'
import type { ClusterConfigChange, ClusterConfigInput } from '../contract/cluster-config.ts'
import type { LabelInput } from '../contract/label.ts'
import type { OwnerRule } from '../contract/ownership.ts'
import type { AccountSettings, SubscriptionSettings } from '../contract/subscription.ts'

/** A changed value as displayed: a webhook is shortened. */
export interface FieldChange {
  name: string
  /** Null if there was no value before. */
  from: string | null
  to: string
}

export interface Action {
  change: 'add' | 'change' | 'remove'
  kind: 'account' | 'label' | 'subscription' | 'profile' | 'owners' | 'policy'
  name: string
  fields: FieldChange[]
  step: ActionCall
}

export type Settings = Omit<SubscriptionSettings, 'subscription_id'>

/**
 * The call that performs the action; it may contain secrets. Labels are attached by name, because they may not exist yet.
 */
export type ActionCall =
  | { do: 'setAccount'; settings: AccountSettings }
  | { do: 'addLabel'; label: LabelInput }
  | { do: 'changeLabel'; id: number; label: LabelInput }
  | { do: 'removeLabel'; id: number }
  | { do: 'subscribe'; productId: number; settings: Settings; attach: string[] }
  | { do: 'changeSubscription'; id: number; settings: Settings; attach: string[]; detach: number[] }
  | { do: 'unsubscribe'; productId: number }
  | { do: 'createProfile'; profile: z.input<typeof ClusterConfigInput> }
  | { do: 'updateProfile'; id: string; change: z.input<typeof ClusterConfigChange> }
  | { do: 'deleteProfile'; id: string }
  | { do: 'saveOwners'; owners: OwnerRule[] }
  | { do: 'setPolicy'; policy: string }
