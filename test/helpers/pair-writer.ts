/**
 * Moves amounts between two tables of a database until it is killed: `node pair-writer.ts FILE SEED`. The sum over both
 * is always 0 between transactions. The WAL is checkpointed and restarted every few transactions.
 */
import { DatabaseSync } from 'node:sqlite'

const [file = '', seed = '0'] = process.argv.slice(2)
const db = new DatabaseSync(file, { timeout: 10_000 })
db.exec('pragma synchronous = off; pragma wal_autocheckpoint = 40')
const take = db.prepare('update taken set amount = amount - ?, filler = randomblob(?) where id = ?')
const give = db.prepare('update given set amount = amount + ?, filler = randomblob(?) where id = ?')
for (let number = Number(seed); ; number++) {
  db.exec('begin immediate')
  for (let each = 0; each < 5; each++) {
    const id = 1 + ((number * 7919 + each * 104_729) % 1000)
    const size = 200 + ((number * 31 + each) % 6000)
    take.run(number, size, id)
    give.run(number, size, 1001 - id)
  }
  db.exec('commit')
  if (number === Number(seed)) process.stdout.write('writing\n')
}
