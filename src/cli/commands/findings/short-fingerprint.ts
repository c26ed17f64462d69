/** Letters of a fingerprint that tables on a terminal show: enough for `relt findings show`. */
export const shortFingerprint = 12
