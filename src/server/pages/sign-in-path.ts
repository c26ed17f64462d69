export const signInPath = '/sign-in'
