import type { Command } from "./command.ts";

/** The command with which beats are looked at; no other one shows them. */
export const BEAT_COMMANDS: readonly Command[] = [
  {
    path: ["beat"],
    summary: "show which beat it is, open the next one, or report what became of them",
    example: "sworn beat --report --task login",
    options: {
      task: { type: "string" },
      trace: { type: "string" },
      open: { type: "boolean" },
      frame: { type: "string" },
      phase: { type: "string" },
      report: { type: "boolean" },
    },
    notes: {
      task: "the task whose beats are meant (the project's)",
      trace: 'the session whose beats are meant: a trace id, its beginning, or "latest"',
      open: "open the beat of now, or the next one where that is open",
      frame: 'open the beat of this BeatFrame, a file or "-" for standard input',
      phase: "what the opened beat is for: plan, work, review or deliver",
      report: "who was active in each beat, what moved, what is late, who is alive",
    },
    more: [
      "Beats count time in a record: 15 minutes each, or as sworn.yaml says (beat: {seconds: 300}). Deadlines in",
      "beats are judged by the beats that were opened, and not by any clock. Runs and works open theirs alone;",
      "nothing has to be done about them.",
    ],
    exits: {
      1: "it could not be written",
      2: "wrong usage, no such task or trace, or the frame cannot be read",
      3: "it was refused: beats do not go back, and a trace has one clock",
      4: "the record cannot be read or continued",
    },
    load: () => import("./commands/beat.ts"),
  },
];
