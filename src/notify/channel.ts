/** How a notification reaches its receiver. A folder per channel; `index.ts` registers them. */
export interface Channel {
  /** On the wire and in options: one lower-case word. */
  name: string
  /** For people; channels are listed in the order of their titles. */
  title: string
  /** Field of an account that holds the address; a subscription has a field of that name for each secret channel. */
  field: string
  /** Whoever knows a secret address can post to it: it is stored sealed, and shown shortened. */
  isSecret: boolean
  shape: AddressShape
}

/** `https`: an https address with the name of a host. */
export type AddressShape = 'email' | 'https'

/** A channel that posts to a secret https address. */
export function webhookChannel<const Name extends string>(name: Name, title: string) {
  return { name, title, field: `${name}_webhook`, isSecret: true, shape: 'https' } as const satisfies Channel
}
