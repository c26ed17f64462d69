import * as z from 'zod/mini'
import { exceptionStates } from '../choices.ts'
import { ExceptionInput, StoredException } from '../exception.ts'
import { toRoutes } from '../route.ts'
import { documented, flag, paging, success, toPage, whole } from '../shape.ts'

const exceptionId = z.object({
  exception_id: documented(z.string(), { type: 'string', pattern: '^exc_[A-Za-z0-9]{1,64}$' }),
})

/** Adds `matched` and `failed_gates` to each exception, which takes longer. */
const include_matched = z._default(flag, false)

const SavedException = z.extend(StoredException, success)

export const exceptionRoutes = toRoutes({
  listExceptions: {
    method: 'GET',
    path: '/exceptions',
    summary: 'List exceptions of the gate',
    components: { answer: 'ExceptionPage' },
    role: 'viewer',
    query: z.object({
      ...paging,
      state: z.optional(z.enum(exceptionStates)),
      /** Active exceptions whose last day is within this many days. */
      expiring_days: z.optional(whole({ min: 1, max: 365 })),
      /** Excludes exceptions that ended more than this many days ago. */
      ended_days: z.optional(whole({ min: 1, max: 365 })),
      include_matched,
    }),
    answer: toPage(StoredException),
    extension: true,
  },
  createException: {
    method: 'POST',
    path: '/exceptions',
    links: [{ parameter: 'exception_id', member: 'exception_id', to: ['getException', 'expireException'] }],
    components: { answer: 'ExceptionSaved' },
    role: 'member',
    body: ExceptionInput,
    answer: SavedException,
    audit: 'exception.create',
    extension: true,
  },
  getException: {
    method: 'GET',
    path: '/exceptions/{exception_id}',
    role: 'viewer',
    heavy: true,
    params: exceptionId,
    query: z.object({ include_matched }),
    answer: StoredException,
    extension: true,
  },
  /** Ends the exception now. One that has ended does not change. */
  expireException: {
    method: 'POST',
    path: '/exceptions/{exception_id}/expire',
    role: 'member',
    params: exceptionId,
    answer: SavedException,
    audit: 'exception.expire',
    extension: true,
  },
})
