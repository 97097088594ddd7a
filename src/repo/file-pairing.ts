/** Beyond this many new files git stops looking for where they were copied from. */
const RENAME_LIMIT = 1_000;

/** How git pairs old and new files; every run over one change must do it alike. */
export const PAIRING = [
  "-r",
  "-M",
  "-C",
  `-l${RENAME_LIMIT}`,
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
];
