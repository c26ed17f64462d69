/** The type with all keys required, so that a literal of this type cannot omit a field. */
export type EveryKey<T> = { [K in keyof Required<T>]: T[K] }
