type Told = Record<string, true | string | string[]>

/** PowerShell takes each of these for a single quote. */
const quote = "['\\u2018\\u2019\\u201a\\u201b]"
const space = '(?:[ \\t]|`\\r?\\n)*'
const string = new RegExp(`${quote}((?:[^'\\u2018\\u2019\\u201a\\u201b]|${quote}{2})*)${quote}(?!${quote})`, 'y')
const command = new RegExp(`${space}([A-Z][A-Za-z]*-[A-Za-z]+)`, 'y')
const parameter = new RegExp(`${space}-([A-Za-z]+)(?::\\$(true|false))?(?=[ \\t\`]|$)`, 'y')
const gap = new RegExp(`${space}`, 'y')
const open = /\(/y
const close = /\)/y
const comma = new RegExp(`${space},${space}`, 'y')
const lists = new Set(['AdditionalExcludedNamespaces', 'ExcludedChecks'])

/**
 * One command with parameters, by PowerShell's rules for quoting: in a single-quoted string everything is itself but a
 * doubled quote; a backtick at the end of a line goes on with the next; a comma makes an array. An argument that begins with
 * the string `--%` hides the rest of the line, unless it is in parentheses. Anything else is refused.
 */
export function readPowershell(line: string): { command: string; parameters: Told } {
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(line)
    if (match) at = pattern.lastIndex
    return match
  }
  const name = take(command)?.[1] ?? ''
  const parameters: Told = {}
  while (at < line.length) {
    const match = take(parameter)
    if (!match || match[1]! in parameters) throw new Error(`no parameter at ${JSON.stringify(line.slice(at))}`)
    take(gap)
    const values: string[] = []
    do {
      const isOpen = take(open)
      const text = take(string)?.[1]?.replace(new RegExp(`${quote}(${quote})`, 'g'), '$1')
      if (text === undefined) break
      if (text === '--%' && !isOpen && values.length === 0) throw new Error(`hidden: ${line.slice(at)}`)
      if (isOpen && !take(close)) throw new Error(`no parenthesis at ${line.slice(at)}`)
      values.push(text)
    } while (take(comma))
    const isList = lists.has(match[1]!)
    if (!isList && values.length > 1) throw new Error(`an array for ${match[1]}`)
    if (values.length > 0) parameters[match[1]!] = isList ? values : values[0]!
    else if (match[2] !== 'false') parameters[match[1]!] = true
  }
  return { command: name, parameters }
}
