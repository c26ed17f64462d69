import { closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { keepOwner } from './keep-owner.ts'

/**
 * Writes a file atomically, in parts if it is large. Replaces a link instead of following it, so other users of the folder
 * cannot choose where the content goes. `isDurable` syncs the file before it replaces the earlier one, so that after a power
 * loss one of the two exists.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array | Iterable<string>,
  { mode = 0o600, isDurable = false }: { mode?: number; isDurable?: boolean } = {},
) {
  throughDraft(file, (draft) => {
    // `wx` fails if anything exists at the path, including a dangling link.
    const handle = openSync(draft, 'wx', mode)
    try {
      keepOwner(handle, dirname(file))
      writeParts(handle, content)
      if (isDurable) fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  })
}

export function writeParts(handle: number, content: string | Uint8Array | Iterable<string>) {
  const isWhole = typeof content === 'string' || content instanceof Uint8Array
  for (const part of isWhole ? [content] : content) writeFileSync(handle, part)
}

/** Like `replaceFile`, with the content and mode of another file. */
export function replaceWithCopy(from: string, file: string) {
  throughDraft(file, (draft) => copyFileSync(from, draft, constants.COPYFILE_EXCL))
}

function throughDraft(file: string, write: (draft: string) => void) {
  // Exclusive creation is the protection; the random name only avoids collisions. Loading `node:crypto` for it would slow
  // every start.
  const draft = `${file}.${Math.random().toString(16).slice(2)}`
  try {
    write(draft)
    renameSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(draft, { force: true })
    throw error
  }
}
