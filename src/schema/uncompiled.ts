import { config } from "zod";

/**
 * Has shapes that are made from now on go through values as they are. Otherwise each is compiled with its
 * first value, which a process has back only where thousands of values go through it.
 */
export function leaveUncompiled(): void {
  config({ jitless: true });
}
