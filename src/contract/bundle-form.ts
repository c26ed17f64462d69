/** Incremented if relt reads the files of a bundle in another form. */
export const bundleForm = 1
