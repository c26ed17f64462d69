import type { MasterKeys } from '../../config/secrets.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { formatTimestamp } from '../../util/time.ts'
import { findMasterKey, noMasterKey } from './vault.ts'

/**
 * The key needed, besides a backup, to open the store elsewhere, as text to print or store. It is encrypted to the
 * recipients; if there are none, it is in plain text. Throws `usage` for an invalid recipient.
 */
export async function makeRecoveryKit(
  db: Db,
  { source, recipients, now }: { source: Pick<MasterKeys, 'get'>; recipients: string[]; now: number },
) {
  const master = await findMasterKey(db, source)
  if (!master) throw noMasterKey()
  const plain = kitText(master.key.toString('hex'), master.id, now)
  const text = recipients.length === 0 ? plain : await sealTo(recipients, plain)
  return { master_key_id: master.id, recipients, text }
}

const kitText = (key: string, id: string, now: number) => `relt recovery kit, made ${formatTimestamp(now)} UTC

Master key     ${key}
Master key id  ${id}

Whoever has this key and a copy of the store can read all of it. Store the two
apart. The key opens the store, and backups made from it, until it is rotated;
backups from before a rotation need the key of their time.

To open a backup on another machine:

  (umask 077 && mkdir -p FOLDER && echo ${key} > FOLDER/master.key)
  relt admin restore BACKUP --data FOLDER
  relt admin verify --data FOLDER

In place of the file, RELT_MASTER_KEY can hold the key.
`

async function sealTo(recipients: string[], text: string) {
  const { armor, Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (cause) {
      throw new ReltError('usage', `${recipient} is not an age recipient.`, {
        hint: 'A recipient begins with age1: `age-keygen` prints it.',
        cause,
      })
    }
  }
  return armor.encode(await encrypter.encrypt(text))
}
