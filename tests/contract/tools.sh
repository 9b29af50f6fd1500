# Sourced: the tools of the contract's checks, of pinned versions. Sets `venv` (Python) and `modules` (JavaScript) from `here`.
cache="${FIGHTDNA_CACHE:-$HOME/.cache/fightdna}"

# Checks run side by side, and the first makes the environment of all. Closed once they are made.
mkdir -p "$cache" && exec 9> "$cache/tools.lock" && flock 9

# One environment for each set of pinned versions; made whole or not at all.
venv="$cache/venv-$(sha256sum "$here/requirements.txt" | cut -c1-12)"
if [ ! -e "$venv/whole" ]; then
    { command -v curl && python3 -c 'import ensurepip'; } >/dev/null 2>&1 \
        || { apt-get update -qq && apt-get install -y -qq curl python3-venv; }
    rm -rf "$venv" && python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --requirement "$here/requirements.txt"
    touch "$venv/whole"
fi

# The same of what JavaScript brings.
modules="$cache/npm-$(sha256sum "$here/package.json" | cut -c1-12)"
if [ ! -e "$modules/whole" ]; then
    command -v npm >/dev/null || { apt-get update -qq && apt-get install -y -qq nodejs npm; }
    rm -rf "$modules" && mkdir -p "$modules" && cp "$here/package.json" "$modules"
    (cd "$modules" && npm install --no-audit --no-fund --silent)
    touch "$modules/whole"
fi
exec 9>&-
