# Sourced: the tools of the contract's checks, of pinned versions. Sets `venv` (Python) and `modules` (JavaScript) from `here`.
cache="${FIGHTDNA_CACHE:-$HOME/.cache/fightdna}"

. "$here/venv.sh"
venv="$(make_venv "$here/requirements.txt")"

# The same of what JavaScript brings. Closed once it is made.
exec 9> "$cache/tools.lock" && flock 9
command -v curl >/dev/null || { apt-get update -qq && apt-get install -y -qq curl; }
modules="$cache/npm-$(sha256sum "$here/package.json" | cut -c1-12)"
if [ ! -e "$modules/whole" ]; then
    command -v npm >/dev/null || { apt-get update -qq && apt-get install -y -qq nodejs npm; }
    rm -rf "$modules" && mkdir -p "$modules" && cp "$here/package.json" "$modules"
    (cd "$modules" && npm install --no-audit --no-fund --silent)
    touch "$modules/whole"
fi
exec 9>&-
