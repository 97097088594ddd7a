// Removes what the last build left, so that a deleted source file does not live on.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
