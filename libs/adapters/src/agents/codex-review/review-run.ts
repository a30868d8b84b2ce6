import type { Agent, AgentRequest, AgentRun } from "../../ports.ts";
import { type AgentSetup, type Cli, cliAgent, type Transcript } from "../cli/cli-agent.ts";
import { lastWords } from "../cli/json-line.ts";
import { CODEX_ENV, INSTALL_CODEX, overrides, readOnlyOverrides, set } from "../codex/command-line.ts";
import { withoutSkillsOf } from "../codex/repository-skills.ts";
import { codexAdvice, codexTrouble } from "../codex/trouble.ts";
import { userConfig } from "../codex/user-config.ts";

/** One run of `codex review` against a commit. It takes no prompt, and gives prose on its standard output. */
export function codexReviewAgent(base: string, setup: AgentSetup): Agent {
  const cli: Cli = {
    name: "codex-review",
    capabilities: { schema: "prompted", readOnly: "os", cost: "none", streaming: "events" },
    program: "codex",
    install: INSTALL_CODEX,
    env: CODEX_ENV,
    async launch({ cwd, model }) {
      const chosen = model === undefined ? [] : [...set("model", model), ...set("review_model", model)];
      const config = await userConfig(setup);
      const safe = [
        ...set("sandbox_mode", "read-only"),
        ...overrides(cwd),
        ...readOnlyOverrides(config),
        ...withoutSkillsOf(cwd),
      ];
      return { args: ["review", "--base", base, ...safe, ...chosen], env: config.env, secret: Object.keys(config.env) };
    },
    transcript: reviewTranscript,
  };
  return cliAgent(cli, setup);
}

/** Shows what is in files or commits; anything else that it runs does not make it a reader. */
const READS =
  /\bgit\b.*\b(?:diff|show|log|cat-file|blame|grep|format-patch)\b|\b(?:cat|sed|head|tail|nl|awk|less|bat|rg|grep)\b/;

/** The answer stands on stdout; stderr tells how the run goes, and repeats the answer. */
function reviewTranscript({ model: asked }: AgentRequest): Transcript {
  const answer: string[] = [];
  let model = asked;
  let problem: string | undefined;
  let command: string | undefined;
  let hasRead = false;
  return {
    line(text, stream) {
      if (stream === "stdout") {
        answer.push(text);
        return [{ kind: "text", text }];
      }
      model ??= /^model: (\S+)$/.exec(text)?.[1];
      problem = /^ERROR: (.+)$/.exec(text)?.[1] ?? problem;
      // A line "exec", then the command, then how it went with what it printed.
      if (text === "exec") command = "";
      else if (command === "") command = text;
      else if (command !== undefined && /^ succeeded in \d/.test(text)) hasRead ||= READS.test(command);
      return [{ kind: "note", text }];
    },
    end: (exit, said) => runOf(answer.join("\n"), { exit, said, problem, model, hasRead }),
  };
}

interface Ending {
  exit: number;
  said: string;
  problem: string | undefined;
  model: string | undefined;
  /** Whether a command of its own showed it something. */
  hasRead: boolean;
}

function runOf(text: string, { exit, said, problem, model, hasRead }: Ending): AgentRun {
  const reported = { usage: {}, ...(model === undefined ? {} : { model }) };
  const failed = (message: string): AgentRun => {
    const trouble = codexTrouble(message);
    return { status: "failed", text: "", error: codexAdvice(message, trouble, model), ...reported, ...trouble };
  };
  if (problem !== undefined) return failed(problem);
  if (exit !== 0) return failed(`it ended with exit code ${exit}: ${lastWords(said)}`);
  // It ends without an error code even where its model said nothing.
  if (/^\s*Review was interrupted\b/.test(text)) return failed("the review was interrupted");
  if (text.trim() === "") return failed("it gave no answer");
  // It gets the base and nothing of the change, so an answer of one that did not look is made up.
  if (!hasRead) return failed("the reviewer did not read any part of the change");
  return { status: "finished", text, ...reported };
}
