import { ReltError } from '../../errors.ts'

/** A piece that is sealed with a data key that this process has not loaded: another process may have added it since. */
export class StaleKeyError extends ReltError {}
