import type { RequestState } from './state.ts'

export const apiRoot = '/api'
export const basePath = `${apiRoot}/relt/v1`

/** Base URL of the API, as the caller reached it or the operator set it. */
export const apiAddress = ({ origin }: RequestState) => origin && origin + basePath
