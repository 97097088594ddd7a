export {
  type Assignee,
  type Assignment,
  type AssignOptions,
  assignFiles,
  type UncoveredFile,
} from "./assign-files.ts";
export { BUILT_IN_TEAMS } from "./built-in-teams.ts";
export {
  type CompletionMessage,
  checkCompletionMessage,
  type MessageCheck,
} from "./completion-message.ts";
export { dataBlock, taskBlock } from "./data-block.ts";
export * from "./drawing/index.ts";
export * from "./gate/index.ts";
export { type ContractRequest, type MadeContract, makeContract } from "./make-contract.ts";
export { type PromptRequest, weavePrompt } from "./weave-prompt.ts";
export {
  type Level,
  outputDirFor,
  toWorkflow,
  WORKFLOWS,
  type Workflow,
  type WorkflowName,
} from "./workflow.ts";
