import { refuseOtherThanFile } from '../util/own-file.ts'

/** Throws if a path is not a regular file: SQLite would wait forever for a pipe. */
export function refuseOtherThanStoreFiles(file: string) {
  for (const suffix of ['', '-wal', '-shm', '-journal']) refuseOtherThanFile(`${file}${suffix}`)
}
