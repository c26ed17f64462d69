import { expect } from 'vitest'

/** Comparing two files entry by entry takes seconds. */
expect.addEqualityTesters([
  (one, other) =>
    one instanceof Uint8Array && other instanceof Uint8Array
      ? Buffer.from(one.buffer, one.byteOffset, one.length).equals(other)
      : undefined,
])
