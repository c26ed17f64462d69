/** Opens the spool of the environment as an agent and a command do, and prints the peak of memory in KiB. */
import { writeSync } from 'node:fs'
import { serverTag } from '../../src/spool/entry-id.ts'
import { Spool } from '../../src/spool/spool.ts'
import { entryWith, server } from '../spool/entries.ts'

const spool = new Spool(process.env, () => {}, { count: 1_000_000 })
const { waiting } = spool.usage()
const first = spool.list(10).length
const due = spool.entries({ isWanted: (tag) => tag !== serverTag(server.url) }).next().done
spool.put(entryWith(-1), 0)
writeSync(1, JSON.stringify({ waiting, first, due, peak: process.resourceUsage().maxRSS }))
