import type { McpResource, McpTemplate } from "./offer.ts";
import type { Ask } from "./verb-tools.ts";

const MARKDOWN = "text/markdown";
const JSON_TYPE = "application/json";

/** A finished review's report, as it is kept. */
export interface KeptReport {
  readonly name: string;
  readonly text: string;
}

/** Reports that can be read; a run's own connection has none. */
export interface ReportShelf {
  readonly list: () => readonly string[];
  readonly read: (name: string) => KeptReport | undefined;
}

/** What there is to read beside the verbs' own answers. */
export interface ReadableScope {
  readonly hasTask: boolean;
  readonly reports?: ReportShelf | undefined;
}

const VERB_RESOURCES: readonly (McpResource & { readonly verb: string; readonly args: object })[] =
  [
    {
      ...{ uri: "sworn://state", name: "state", mimeType: MARKDOWN, verb: "state.read", args: {} },
      description: "How the task stands: state, runs, open questions, the lead's note",
    },
    ...(["task", "project"] as const).flatMap((scope) => [
      {
        ...{ uri: `sworn://facts/${scope}`, name: `facts of the ${scope}`, mimeType: JSON_TYPE },
        ...{ verb: "facts.read", args: { scope } },
        description: `What is known in the ${scope}`,
      },
      {
        ...{ uri: `sworn://bus/${scope}`, name: `bus of the ${scope}`, mimeType: JSON_TYPE },
        ...{ verb: "bus.read", args: { scope } },
        description: `The first messages of the ${scope}'s bus; bus_read goes on from there`,
      },
    ]),
  ];

/** Addresses of what a child run left. */
export const TEMPLATES: readonly McpTemplate[] = [
  {
    uriTemplate: "sworn://runs/{run_id}/output",
    name: "output of a run",
    description: "What a child run handed in, once it is over",
    mimeType: MARKDOWN,
  },
];

/** What can be read now; without a task, nothing of one. */
export async function listResources(
  ask: Ask,
  { hasTask, reports }: ReadableScope,
): Promise<readonly McpResource[]> {
  const shown = VERB_RESOURCES.filter(({ uri }) => hasTask || uri.endsWith("/project"));
  return [
    ...shown.map(({ verb: _, args: __, ...resource }) => resource),
    ...(hasTask ? await endedRuns(ask) : []),
    ...(reports?.list() ?? []).map((name) => ({
      uri: `sworn://reports/${encodeURIComponent(name)}`,
      name,
      description: "The report of a review",
      mimeType: MARKDOWN,
    })),
  ];
}

/** The last runs of the task that the runner said were over. */
async function endedRuns(ask: Ask): Promise<McpResource[]> {
  const outcome = await ask("state.read", {});
  if (!("ok" in outcome) || !("markdown" in outcome.ok) || !("state" in outcome.ok)) return [];
  return (outcome.ok.state?.runs.ended ?? []).map((run) => ({
    uri: `sworn://runs/${run}/output`,
    name: run,
    description: "What a run of this task handed in",
    mimeType: MARKDOWN,
  }));
}

/** The content behind an address; undefined when there is none, or it may not be read. */
export async function readResource(
  ask: Ask,
  { reports }: ReadableScope,
  uri: string,
): Promise<readonly object[] | undefined> {
  const known = VERB_RESOURCES.find((resource) => resource.uri === uri);
  if (known) return content(uri, known.mimeType, await answerText(ask, known.verb, known.args));
  const run = /^sworn:\/\/runs\/([0-9-]{1,64})\/output$/.exec(uri)?.[1];
  if (run !== undefined) return content(uri, MARKDOWN, await runOutput(ask, run));
  const report = /^sworn:\/\/reports\/([^/]{1,300})$/.exec(uri)?.[1];
  if (report === undefined) return undefined;
  return content(uri, MARKDOWN, reports?.read(decoded(report))?.text);
}

function content(uri: string, mimeType: string, text: string | undefined) {
  return text === undefined ? undefined : [{ uri, mimeType, text }];
}

async function answerText(ask: Ask, verb: string, args: object): Promise<string | undefined> {
  const outcome = await ask(verb, args);
  if (!("ok" in outcome)) return undefined;
  return "markdown" in outcome.ok ? outcome.ok.markdown : JSON.stringify(outcome.ok, null, 2);
}

async function runOutput(ask: Ask, run_id: string): Promise<string | undefined> {
  const outcome = await ask("run.status", { run_id });
  if (!("ok" in outcome) || !("output" in outcome.ok)) return undefined;
  return outcome.ok.output ?? undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Half an escape is no name of anything.
    return "";
  }
}
