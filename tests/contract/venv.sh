# Sourced: environments of Python with packages of pinned versions.

# make_venv REQUIREMENTS… prints the folder of an environment that has what these files name: one for each set of versions, made
# whole or not at all. Checks run side by side, and the first makes the environment of all. Returns 3 where the packages cannot
# be installed; $install_seconds is how long that may take.
make_venv() {
    local cache="${FIGHTDNA_CACHE:-$HOME/.cache/fightdna}" folder
    mkdir -p "$cache"
    folder="$cache/venv-$(cat "$@" | sha256sum | cut -c1-12)"
    (
        flock 9
        [ ! -e "$folder/whole" ] || exit 0
        python3 -c 'import ensurepip' >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq python3-venv; } || exit 1
        rm -rf "$folder" && python3 -m venv "$folder" || exit 1
        for file in "$@"; do set -- "$@" --requirement "$file"; shift; done
        timeout "${install_seconds:-0}" "$folder/bin/pip" install --quiet "$@" || exit 3
        touch "$folder/whole"
    ) 9> "$cache/tools.lock" >&2 || return
    echo "$folder"
}
