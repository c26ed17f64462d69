/** Of scrypt: 32 MiB and some 80 ms a guess. Tests replace this module, but for the one that expects this cost. */
export const passwordCost = { N: 2 ** 15, r: 8, p: 1 }
