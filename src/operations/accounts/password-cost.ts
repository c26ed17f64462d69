/** Cost of scrypt: 32 MiB and some 80 ms per guess. All tests but one replace this module. */
export const passwordCost = { N: 2 ** 15, r: 8, p: 1 }
