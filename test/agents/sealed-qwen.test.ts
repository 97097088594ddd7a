import { expectHeld } from "./expect-sealed.ts";

expectHeld("qwen", {
  shell: (command) => ({ call: "run_shell_command", input: { command, is_background: false } }),
});
