/** A tool as a client sees it. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}

/** What a call of a tool gave. A failure is told to the model, which may do better next time. */
export interface ToolResult {
  readonly content: readonly object[];
  readonly structuredContent?: object;
  readonly isError?: boolean;
}

/** Something that can be read by its address. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

/** Addresses of which there are too many to list. */
export interface McpTemplate extends Omit<McpResource, "uri"> {
  readonly uriTemplate: string;
}

/** A text that a person can have written for them. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

/** What a peer offers. Undefined means that there is nothing of that name. */
export interface McpOffer {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly McpTool[];
  readonly callTool: (name: string, args: object) => Promise<ToolResult | undefined>;
  readonly resources: () => Promise<readonly McpResource[]>;
  readonly templates: readonly McpTemplate[];
  readonly readResource: (uri: string) => Promise<readonly object[] | undefined>;
  readonly prompts: readonly McpPrompt[];
  readonly getPrompt: (
    name: string,
    args: Readonly<Record<string, string>>,
  ) => readonly object[] | undefined;
}
