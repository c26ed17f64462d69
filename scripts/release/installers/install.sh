#!/bin/sh
# Installs relt @VERSION@ for one user, without root: sh install.sh [--to FOLDER] [--from FOLDER-OR-ADDRESS]
# It downloads the archive for this machine, compares its SHA-256 with the one below, and writes FOLDER/relt (default: ~/.local/bin).
set -eu

url='@URL@'
to=
while [ $# -gt 0 ]; do
  case $1 in
    --to) to=${2:?--to needs a folder}; shift 2 ;;
    --from) url=${2:?--from needs a folder or an address}; shift 2 ;;
    *) echo "Usage: sh install.sh [--to FOLDER] [--from FOLDER-OR-ADDRESS]" >&2; exit 2 ;;
  esac
done

to=${to:-${HOME:?needs a value, or give --to}/.local/bin}

stop() {
  echo "relt was not installed: $1" >&2
  exit 1
}

case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) stop "there is no executable for $(uname -s). With Node 24, use the npm package." ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) stop "there is no executable for $(uname -m). With Node 24, use the npm package." ;;
esac
target=$system-$machine
# Alpine has musl in place of glibc.
if [ "$system" = linux ] && ls /lib/ld-musl-* > /dev/null 2>&1 && ! ls /lib*/ld-linux-* > /dev/null 2>&1; then
  target=$target-musl
fi

sums='
@SUMS@
'
line=$(echo "$sums" | grep -F -- "-$target.tar.gz") ||
  stop "this release has no executable for $target. With Node 24, use the npm package."
sha256=${line%% *}
file=${line##* }

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$to/.relt.new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
case $url in
  http://*) stop "$url is not encrypted: it takes an address with https." ;;
  https://*)
    if command -v curl > /dev/null; then
      curl --fail --silent --show-error --location --proto =https --output "$folder/$file" "$url/$file"
    else
      wget -q -O "$folder/$file" "$url/$file"
    fi || stop "$url/$file cannot be downloaded."
    ;;
  *) cp "$url/$file" "$folder/$file" || stop "$url has no $file." ;;
esac

if command -v sha256sum > /dev/null; then
  found=$(sha256sum < "$folder/$file")
else
  found=$(shasum -a 256 < "$folder/$file")
fi
[ "${found%% *}" = "$sha256" ] || stop "$file has the SHA-256 ${found%% *}, not $sha256."

tar -xzf "$folder/$file" -C "$folder"
mkdir -p "$to"
[ ! -d "$to/relt" ] || stop "$to/relt is a folder."
# A running relt keeps its file: the new one replaces the name alone. Where it is, unlike in /tmp, programs may run.
cp "$folder/${file%.tar.gz}/relt" "$to/.relt.new"
chmod 755 "$to/.relt.new"
"$to/.relt.new" --version > /dev/null || stop 'the executable does not run on this machine.'
mv -f "$to/.relt.new" "$to/relt"
echo "Installed $to/relt, version @VERSION@."
case :$PATH: in
  *:"$to":*) ;;
  *) echo "$to is not on your PATH. Add it: export PATH=\"$to:\$PATH\"" ;;
esac
