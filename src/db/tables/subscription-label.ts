export interface SubscriptionLabelTable {
  subscription_id: number
  label_id: number
}
