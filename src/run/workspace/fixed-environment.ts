import { WORKSPACE } from "../../schema/execution.ts";

/** What every run has in common, so that the same run gives the same bytes. */
export const FIXED = { locale: "C.UTF-8", timezone: "UTC" } as const;

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/node/bin";

/** What a run is told about its world. */
export interface FixedValues {
  readonly seed: string;
  /** Seconds since 1970: the commit's own time, or 0 without one. */
  readonly sourceDateEpoch: number;
}

/** All variables that a task sees; nothing of the caller's own is among them. */
export function fixedEnvironment({ seed, sourceDateEpoch }: FixedValues): Record<string, string> {
  return {
    PATH,
    HOME: WORKSPACE.data,
    USER: "task",
    LANG: FIXED.locale,
    LC_ALL: FIXED.locale,
    TZ: FIXED.timezone,
    SOURCE_DATE_EPOCH: `${sourceDateEpoch}`,
    CHORUS_SEED: seed,
    PYTHONHASHSEED: "0",
    WORKSPACE_ROOT: WORKSPACE.root,
    WORKSPACE_INPUT: WORKSPACE.input,
    WORKSPACE_DATA: WORKSPACE.data,
    WORKSPACE_OUTPUT: WORKSPACE.output,
    TMPDIR: "/tmp",
    CI: "1",
  };
}
