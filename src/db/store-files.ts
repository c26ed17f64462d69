import { refuseOtherThanFile } from '../util/own-file.ts'

/** SQLite waits for ever for a pipe in the place of a file that it reads. Throws for anything but files. */
export function refuseOtherThanStoreFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) refuseOtherThanFile(`${file}${suffix}`)
}
