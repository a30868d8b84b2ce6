import type { Argv } from "@anneal/system/programs/command";
import { MODEL_NAME, MODEL_NAME_FORM } from "@anneal/types/model-name-form";
import type { AgentRequest, AgentRun } from "../../ports.ts";

/** What a user may set about an agent. */
export interface AgentSetup {
  /** How it is started where it is not simply on the PATH: a program, and arguments that come first. */
  command?: Argv;
  /** The model of runs that name none. */
  model?: string;
  /** Variables of our environment that it may see besides those of its kind. */
  passEnv?: readonly string[];
  /** Variables that are set for it. */
  env?: Readonly<Record<string, string>>;
  /** Lets it work where it should be shut in and cannot be. It then keeps its hands off files only if it wants to. */
  unsandboxed?: "allowed";
  /** Does not let it run at all without a sandbox, whatever else is allowed. */
  sandbox?: "required";
  /** Files and folders in the home folder or in /tmp that it needs where it is shut in. It cannot change them. */
  readable?: readonly string[];
  /** Folders outside the work tree where it keeps its state; whatever it does there stays. */
  writable?: readonly string[];
}

/**
 * The request with the model that the user set where it names none, or the end of a run that cannot be begun: a name that
 * a program could take for one of its options is not handed over, whoever named it.
 */
export function withModel(asked: AgentRequest, { model }: AgentSetup): { request: AgentRequest; refused?: AgentRun } {
  const request = asked.model === undefined && model !== undefined ? { ...asked, model } : asked;
  if (request.model === undefined || MODEL_NAME.test(request.model)) return { request };
  const error = `${JSON.stringify(request.model.slice(0, 100))} is not a model name: ${MODEL_NAME_FORM}`;
  return { request, refused: { status: "failed", text: "", error, usage: {}, lasting: true } };
}
