import type { ReceivedApiKey } from '../../../contract/received/api-key.ts'
import { until } from '../../../util/ago.ts'
import { expiresSoon } from '../../../views/api-key.ts'
import { type Remark, warning } from '../../output/remarks.ts'

/** A warning if the API key for a server expires within 14 days. `now` is in unix seconds. */
export function expiryRemarks(
  server: string,
  key: Pick<ReceivedApiKey, 'expires_at'> | undefined | null,
  now: number,
): Remark[] {
  if (!key?.expires_at || !expiresSoon(key, now)) return []
  return [warning(`Your key for ${server} expires ${until(key.expires_at, now)}. Replace it: relt keys rotate`)]
}
