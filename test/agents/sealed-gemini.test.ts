import { expectHeld } from "./expect-sealed.ts";

expectHeld("gemini", {
  shell: (command) => ({ call: "run_shell_command", input: { command } }),
});
