/** The seal of a webhook is bound to its account, also for subscriptions. */
export const webhookSealOwner = (userId: number): string => `user/${userId}`
