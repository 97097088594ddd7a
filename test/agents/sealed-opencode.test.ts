import { expectHeld } from "./expect-sealed.ts";

expectHeld("opencode", {
  shell: (command) => ({ call: "bash", input: { command, description: "a command" } }),
});
