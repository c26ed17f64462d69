import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { passwordCost as cost } from './password-cost.ts'

const hashLength = 32

/** Returns the stored form: `scrypt$N$r$p$salt$hash`, the last two in base64. */
export async function hashPassword(password: string) {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** Takes equally long if there is no hash, so that timing does not reveal which users have a password. */
export async function verifyPassword(password: string, stored: string | null | undefined) {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? nobody).split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) })
  const expected = Buffer.from(hash, 'base64')
  return expected.length === derived.length && timingSafeEqual(expected, derived) && stored != null
}

const nobody = ['scrypt', cost.N, cost.r, cost.p, randomBytes(16).toString('base64'), ''].join('$')

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  // Keyboards may encode the same characters differently.
  const text = password.normalize('NFKC')
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashLength, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
