import { ownAccount } from '../../contract/choices.ts'
import { html, name } from '../../render/html/markup.ts'
import type { View } from './view.ts'

/** Links to the same page for the viewer's own account, and for each team. */
export function whoseLinks(view: View) {
  const { teams } = view.viewer
  if (teams.length === 0) return html``
  const shown = view.notifiedTeam ?? ownAccount
  const others = [ownAccount, ...teams].filter((each) => each !== shown)
  const linkTo = (team: string) =>
    html`<a href="${view.here({ team })}">${team === ownAccount ? 'your account' : html`team ${name(team)}`}</a>`
  return html`The same page for ${others.map((team, index) => html`${index > 0 && ', '}${linkTo(team)}`)}.`
}
