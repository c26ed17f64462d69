import { html } from '../../render/html/markup.ts'
import { actionForm } from './form.ts'
import type { View } from './view.ts'

/** The viewer's own password. It can only be changed in a session opened with it. */
export function passwordPart(view: View, isOfKey: boolean) {
  if (isOfKey || view.viewer.nonce === undefined) {
    return html`<p>You signed in with an API key, which cannot change the password. Sign in with the password.</p>`
  }
  const field = (name: string, label: string, autocomplete: string) =>
    html`<label>${label} <input type="password" name="${name}" autocomplete="${autocomplete}" required maxlength="1000"></label>
`
  return html`<p>A password has at least 12 characters.</p>
${actionForm(view, {
  action: '/account/password',
  button: 'Change password',
  fields: html`<label>Login name <input name="username" value="${view.viewer.login}" autocomplete="username" readonly></label>
${field('current_password', 'Current password', 'current-password')}${field('new_password', 'New password', 'new-password')}${field('repeated_password', 'New password again', 'new-password')}<label><input type="checkbox" name="confirmed" value="yes" required> End all other sessions of this account</label>
`,
})}`
}
