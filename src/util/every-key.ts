/** The same with every key written out, optional ones too: a literal of this type forgets no field. */
export type EveryKey<T> = { [K in keyof Required<T>]: T[K] }
