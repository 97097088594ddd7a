import { expectSealed } from "./expect-sealed.ts";

expectSealed("goose", {
  shell: (command) => ({ call: "shell", input: { command } }),
  survivesMalformed: false,
});
