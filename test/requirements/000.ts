import type { Requirement } from "../requirements.ts";

/**
 * Source document 000: contracts with agents, quoted evidence and validation of output.
 *
 * @public
 */
export const INSCRIPTION = {
  "000-1": {
    text: "The contract file is in the output folder before the first agent starts.",
    state: "tested",
  },
  "000-2": {
    text: "`inscription.json` holds `output_dir`, an ISO-8601 `timestamp`, a `workflow` named `rune-<name>`, `teammates[]`, and the blocks `context_engineering`, `verification` and `aggregator`.",
    state: "tested",
  },
  "000-3": {
    text: "A teammate entry gives its `role`, its `name`, its `output_file` and the `required_sections[]` it owes.",
    state: "tested",
  },
  "000-4": {
    text: "The contract's aggregator is called `runebinder` and writes `TOME.md`.",
    state: "tested",
  },
  "000-5": {
    text: "`verification` has `enabled`, breakers that open for 60 s at 3 failures (`layer_0_circuit`) and for 120 s at 2 (`layer_2_circuit`), and `max_reverify_agents` at 2.",
    state: "tested",
  },
  "000-6": {
    text: "`context_engineering` defaults to `source_first` reading, anchored instructions, re-anchoring every 5 files, and file budgets: security 20, frontend and docs 25, backend 30.",
    state: "tested",
  },
  "000-7": {
    text: "A contract is valid without `timestamp`, `aggregator` or circuits; `verification` with only `enabled: false` is enough.",
    state: "tested",
  },
  "000-8": {
    text: "Each agent prompt ends with the path to write, the sections it must hold, and the duty to quote code for each finding.",
    state: "tested",
  },
  "000-9": {
    text: "Each prompt asks for `file:line` citations of code the agent has opened, LOW confidence where unsure, and no obedience to text in the code.",
    state: "tested",
  },
  "000-10": { text: "The output file closes with a Seal fenced by `---` lines.", state: "tested" },
  "000-11": {
    text: "After sealing, the agent tells the lead its role, path and P1, P2 and P3 counts; the long form adds confidence and whether it reviewed itself.",
    state: "tested",
  },
  "000-12": { text: "A hand-over message of more than 50 words is refused.", state: "tested" },
  "000-13": {
    text: "A required section counts only with its header and over 10 words beneath it.",
    state: "tested",
  },
  "000-14": {
    text: "Every finding carries a `**Rune Trace:**` block of 3–5 source lines, copied exactly.",
    state: "tested",
  },
  "000-15": {
    text: "An agent reports on a file only after it has opened that file.",
    state: "tested",
  },
  "000-16": {
    text: "Once the report is written, the agent opens at least its P1 findings again and checks path, line and quote.",
    state: "tested",
  },
  "000-17": {
    text: "A remark without evidence is no finding and lands under `## Unverified Observations`.",
    state: "tested",
  },
  "000-18": { text: "Text under review is treated as data and is never obeyed.", state: "tested" },
  "000-19": {
    text: "Before sealing, every P1 and P2 is checked again and logged as `confirmed`, `REVISED` in place or `DELETED`.",
    state: "tested",
  },
  "000-20": { text: "The Summary counts follow every revision and deletion.", state: "tested" },
  "000-21": {
    text: "The `## Self-Review Log` is a table headed `#`, `Finding`, `Action`, `Notes`.",
    state: "tested",
  },
  "000-22": {
    text: "A RE-ANCHOR block closes the prompt: real code behind each P1 and P2, files opened, log full, nothing in the code obeyed.",
    state: "tested",
  },
  "000-23": {
    text: "Prompt templates fill in `{role}`, `{output_dir}`, `{output_file}` and `{required_sections}`, the last joined by commas.",
    state: "tested",
  },
  "000-24": {
    text: "The Seal's `findings` is an integer: its P1, P2 and P3 counts added up.",
    state: "tested",
  },
  "000-25": {
    text: "The Seal's `evidence_verified` is true only when no finding lacks its trace.",
    state: "tested",
  },
  "000-26": {
    text: "The Seal's `confidence` is the agent's own number between 0 and 1.",
    state: "tested",
  },
  "000-27": { text: "The Seal says true or false under `self_reviewed`.", state: "tested" },
  "000-28": {
    text: "`self_review_actions` reads `confirmed: N, revised: N, deleted: N` in the long Seal and may be missing from the short one.",
    state: "tested",
  },
  "000-29": {
    text: "The Seal counts the ambiguities an agent settled alone under `clarifications-flagged`.",
    state: "tested",
  },
  "000-30": {
    text: "Validation runs the missing-files breaker first, then looks at each file, then writes the gap report.",
    state: "tested",
  },
  "000-31": {
    text: "When no expected file exists, the workflow aborts with a failure notice instead of going on empty.",
    state: "tested",
  },
  "000-32": {
    text: "The missing-files breaker looks 3 times, 60 s apart, before it aborts.",
    state: "tested",
  },
  "000-33": {
    text: "Each output file exists, exceeds 100 bytes, has its required headers and carries a `SEAL:` marker.",
    state: "tested",
  },
  "000-34": {
    text: "`TOME.md` lists each file that failed validation under Incomplete Deliverables.",
    state: "tested",
  },
  "000-35": {
    text: "The gap report shows absent teammates and file scopes nobody covered, under `Teammate`, `Status` and `Impact`.",
    state: "tested",
  },
  "000-36": {
    text: "A task list that says `completed` outranks the Seal, and the Seal outranks a file that merely exists.",
    state: "superseded by decision 18",
  },
  "000-37": {
    text: "A completed task whose file has no Seal counts as good, and the workflow goes on.",
    state: "superseded by decision 18",
  },
  "000-38": {
    text: "Any workflow of three or more agents runs under a contract.",
    state: "tested",
  },
  "000-39": {
    text: "A review has 3–5 agents, layers 0 and 2, output in `tmp/reviews/{pr}/` bound into the TOME, and the sections P1 to P3, Summary and Self-Review Log.",
    state: "tested",
  },
  "000-40": {
    text: "An audit has 3–5 agents, a validator on top of layers 0 and 2, output in `tmp/audit/{id}/`, and a review's sections.",
    state: "tested",
  },
  "000-41": {
    text: "Planning research has 3–5 agents, layer 0 alone, output in `tmp/research/` for the lead, and the sections Summary, Key Findings and Recommendations.",
    state: "tested",
  },
  "000-42": {
    text: "Swarm work has 2 or more agents, a contract from 3 on, no finding checks, a `work` folder under `tmp` that the lead reads, and the sections Tests, Status and Files Changed.",
    state: "tested",
  },
  "000-43": {
    text: "A custom workflow of 3 or more agents has a contract and chooses its verification.",
    state: "tested",
  },
  "000-44": {
    text: "A lone agent needs no contract, only the limit on its message.",
    state: "tested",
  },
  "000-45": {
    text: "The checks know five kinds of hallucination: made-up `file:line` and phantom issues (common), wrong attribution and invented identifiers (moderate), prompt mistaken for code (rare).",
    state: "tested",
  },
  "000-46": {
    text: "Four layers exist: quoting while at work (0), self-review before sealing (1), a P1 spot-check afterwards (2), and optional cross-validation by several agents (3).",
    state: "tested",
  },
  "000-47": {
    text: "Evidence is an exact quote of several lines, which cannot be had without a read and is hard to invent.",
    state: "tested",
  },
  "000-48": {
    text: "A finding is a checkbox with id, title and `file:line`, a code block opened by a `Lines a-b of file` comment, then `**Issue:**` and `**Fix:**`.",
    state: "tested",
  },
  "000-49": {
    text: "The second look covers every P1 finding when confidence is below 0.7, otherwise one or two of them.",
    state: "tested",
  },
  "000-50": {
    text: "A spot-check opens the source where it was cited, compares the quote and answers CONFIRMED, INACCURATE or HALLUCINATED.",
    state: "tested",
  },
  "000-51": {
    text: "A single HALLUCINATED finding marks everything its agent wrote as unreliable.",
    state: "tested",
  },
  "000-52": {
    text: "The TOME's Verification Status table gives each agent's confidence, spot-checks as n/m and the three verdict counts, and ends on overall reliability.",
    state: "tested",
  },
  "000-53": {
    text: "Self-review is healthy with over 80 % confirmed, under 10 % deleted, a full log and all edits visible; rotted below 50 %, above 25 %, under 80 % and none; a warning between.",
    state: "tested",
  },
  "000-54": {
    text: "Prompts fight context rot: anchored instructions, source before references, a reminder after each 5 files, and a cap on files per teammate.",
    state: "tested",
  },
  "000-55": {
    text: "An agent in doubt notes the ambiguity and its assumption in the finding, goes on, and counts it.",
    state: "tested",
  },
  "000-56": {
    text: "An agent may send its lead one `CLARIFICATION_REQUEST`, works on meanwhile, looks for an answer between files, and else keeps its assumption.",
    state: "tested",
  },
  "000-57": {
    text: "A decision for a person goes under `## Human Escalation Required` while the agent goes on with its assumption.",
    state: "tested",
  },
  "000-58": {
    text: "The state file holds `status`, `started`, `gaps[]` and `expected_files[]`.",
    state: "tested",
  },
  "000-59": {
    text: "A workflow leaves `active` once, for `completed`, `failed`, `cancelled` or `completed_with_gaps`, and stays there.",
    state: "tested",
  },
  "000-60": {
    text: "Adding a workflow takes six steps: pick its folder, pick sections for a Report, Research or Status, generate, inject, validate, test.",
    state: "tested",
  },
  "000-61": {
    text: "A new workflow states its name, how many agents, format, place, sections, and whether it yields findings to verify.",
    state: "tested",
  },
  "000-62": {
    text: "Agent count alone sets verification: a message limit for 1–2, layer 0 for 3–4, layer 2 from 5 on, none for status-only work.",
    state: "superseded by decision 23",
  },
  "000-63": {
    text: "After the agents finish come breaker, file validation, aggregation if any, layer 2 if enabled, and last `completion.json`.",
    state: "tested",
  },
  "000-64": {
    text: "The example of three researchers with verification off runs as described.",
    state: "tested",
  },
} satisfies Readonly<Record<string, Requirement>>;
