import type { Made } from '../../../admin/admin.ts'
import type { MadeByKey } from '../../../contract/api-key.ts'

/** Converts it to the API's form. */
export const toShown = ({ webhooks, ...made }: Made): Omit<MadeByKey, 'success'> => ({
  ...made,
  webhooks: webhooks.map(({ channel, subscriptionId }) => ({ channel, subscription_id: subscriptionId })),
})
