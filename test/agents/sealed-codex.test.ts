import { expectSealed } from "./expect-sealed.ts";

expectSealed("codex", {
  shell: (cmd) => ({ call: "exec_command", input: { cmd } }),
  survivesMalformed: true,
});
