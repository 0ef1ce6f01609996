#!/usr/bin/env bash
# Installs what the implementations and samples in other languages need, beside them: npm packages and a Python environment.
# It needs Node 20 or newer with npm, and Python 3.11 or newer with venv. Run again, it does only what is left.
set -euo pipefail
cd "$(dirname "$0")"

need() {
    command -v "$1" >/dev/null || { echo "setup.sh: $1 is missing; install $2" >&2; exit 2; }
}
need node "Node 20 or newer"
need npm "npm, which comes with Node"
need python3 "Python 3.11 or newer"

# What is installed is marked by what asked for it, so that a second run does nothing.
fresh() { [ -f "$1" ] && cmp -s "$1" "$2"; }

for folder in typescript integrations/typescript integrations/typescript-stateless; do
    if ! fresh "$folder/node_modules/.installed" "$folder/package-lock.json"; then
        echo "== npm ci in $folder"
        (cd "$folder" && npm ci --no-audit --no-fund --silent)
        cp "$folder/package-lock.json" "$folder/node_modules/.installed"
    fi
    echo "== npm run build in $folder"
    (cd "$folder" && npm run --silent build)
done

# One environment for all: what two of them ask for, they pin alike.
requirements=(integrations/python/requirements.txt python/requirements.txt)
if ! cat "${requirements[@]}" | cmp -s - .venv/.installed; then
    echo "== pip install in .venv"
    python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "${requirements[@]/#/--requirement=}"
    cat "${requirements[@]}" >.venv/.installed
fi
echo "== all is ready"
