import type { Command } from 'commander'

export interface StoreOptions {
  data?: string
}

/** Commands that work on the files of a store, be it this machine's own or that of a server. */
export function addStoreOption(command: Command): Command {
  return command.option('--data <folder>', 'folder of the store (default: RELT_HOME, or the usual place)')
}
