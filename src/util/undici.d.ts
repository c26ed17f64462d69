/** Parts of undici: the whole takes three times as long to load. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions & { origin: string },
  ): Promise<Dispatcher.ResponseData>
}
