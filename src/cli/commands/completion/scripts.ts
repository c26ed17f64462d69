/** Scripts for each shell. They call `relt __complete :PREFIX WORD…`, which prints a value and its description per line. */
export const scripts = {
  bash: `# In ~/.bashrc: source <(relt completion bash)
_relt() {
  local word line glued='' n=-1 words=()
  # Bash takes --option=value for three words.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $n -ge 0 && ( $word == = || -n $glued ) ]]; then words[n]+=$word; else n=$((n + 1)); words[n]=$word; fi
    if [[ $word == = ]]; then glued=1; else glued=''; fi
  done
  local current=\${words[n]}
  unset "words[n]"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${current#--*=}")
      continue
    fi
    line=\${line%%$'\\t'*}
    if [[ $current == --*=* ]]; then line=\${line#--*=}; fi
    printf -v line %q "$line"
    COMPREPLY+=("$line")
  done < <(relt __complete ":$current" "\${words[@]}" 2>/dev/null)
}
complete -F _relt relt
`,
  zsh: `#compdef relt
# In ~/.zshrc, after compinit: source <(relt completion zsh)
_relt() {
  local line
  local -a before candidates
  before=("\${(@Q)words[2,CURRENT-1]}")
  for line in "\${(@f)$(relt __complete ":\${(Q)PREFIX}" "\${before[@]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    [[ -n $line ]] || continue
    local value=\${line%%$'\\t'*} description=\${line#*$'\\t'}
    candidates+=("\${value//:/\\\\:}:$description")
  done
  _describe relt candidates
}
# From a folder of $fpath, zsh runs this file itself for the first completion.
if [[ $funcstack[1] == _relt ]]; then
  _relt "$@"
else
  compdef _relt relt
fi
`,
  fish: `# In ~/.config/fish/completions/relt.fish: relt completion fish | source
function __relt_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  for line in (relt __complete ":$current" $before[2..] 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c relt -f -a '(__relt_complete)'
`,
  powershell: `# In $PROFILE: relt completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName relt -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.ToString() } })
  relt __complete ":$wordToComplete" @before 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if ($value -eq ':files') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    } else {
      $text = if ($value -match '[^\\w.:=/-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
      if (-not $description) { $description = $value }
      [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
  }
}
`,
}

export const shells = Object.keys(scripts) as (keyof typeof scripts)[]
