#!/bin/sh
# Judges a pull request in a clone that has both sides, on any machine with git and bubblewrap:
#
#   examples/ci/ci.sh --base origin/main --head feature --body description.md
#
# All words are handed to "sworn ci"; SWORN names the program. The table goes to standard output and, in a
# workflow of GitHub, below the run as well. The exit code is that of sworn ci: 0 it holds, 1 the machine
# failed, 2 wrong usage or nothing declared, 3 it does not hold.
set -eu

table=$(mktemp)
trap 'rm -f "$table"' EXIT

code=0
"${SWORN:-sworn}" ci --markdown "$@" >"$table" || code=$?

cat "$table"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  cat "$table" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
