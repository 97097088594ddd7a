import { expectSealed } from "./expect-sealed.ts";

expectSealed("pi", {
  shell: (command) => ({ call: "bash", input: { command } }),
  survivesMalformed: false,
});
