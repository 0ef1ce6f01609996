#!/usr/bin/env bash
# Lints, formats and types of the programs in other languages, by their ecosystems' usual tools. After setup.sh.
set -euo pipefail
cd "$(dirname "$0")"

echo "== eslint and prettier in typescript"
(cd typescript && npm run --silent lint)

folders=(integrations/python python)
python=$PWD/.venv/bin/python
if ! cat "${folders[@]/%//requirements-dev.txt}" | cmp -s - .venv/.linters; then
    echo "== pip install of the linters"
    "$python" -m pip install --quiet --disable-pip-version-check \
        --requirement integrations/python/requirements-dev.txt --requirement python/requirements-dev.txt
    cat "${folders[@]/%//requirements-dev.txt}" >.venv/.linters
fi
for folder in "${folders[@]}"; do
    echo "== ruff and mypy in $folder"
    (cd "$folder" && "$python" -m ruff check . && "$python" -m ruff format --check . && "$python" -m mypy .)
done
