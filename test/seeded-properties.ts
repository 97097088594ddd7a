import fc from "fast-check";

/** The gate tries the same cases every time; the soak, and whoever sets SWORN_SEED, tries others. */
const seed = process.env["SWORN_SEED"] ?? (process.env["SWORN_SOAK"] ? undefined : "1");
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
