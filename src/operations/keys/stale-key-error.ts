import { ReltError } from '../../errors.ts'

/** A piece is sealed with a data key that this process has not loaded: another process may have added the key since. */
export class StaleKeyError extends ReltError {}
