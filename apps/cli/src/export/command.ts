import { parseArgs } from "node:util";
import { UsageError } from "@anneal/engine";
import { certified } from "@anneal/engine/evidence";
import { errorMessage } from "@anneal/types/unknown";
import { onlyId, withItem } from "../project/one-item.ts";
import { json } from "../project/output.ts";
import { writeResult } from "../review/write-result.ts";

const help = `anneal export: print the certificate of a feature's last loop

  anneal export ID                  as JSON on standard output (--json is the same)
  anneal export ID --output FILE    into a file

Says what was reviewed (base, head), under which policy (with its hash), by whom, the rounds, findings and rulings, which checks ran
and their results, the cost, and the verdict. "holds" is true only while the branch is at the head that passed.
It starts with what was not judged. Every commit between base and head is searched for secrets.

Exit code: 0 written, 1 a commit contains a secret without a ruling, 2 usage.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    // It is JSON in any case; whoever asks every command for that need not know.
    options: { output: { type: "string" }, json: { type: "boolean" } },
  });
  const name = onlyId(positionals, "export");
  const made = await withItem(name, async ({ repo }, { id }, loop) => {
    if (loop === null)
      throw new UsageError(`${id} has no loop yet, so there is nothing to certify: run anneal run ${id}`);
    return await certified(repo, loop);
  });
  const text = json(made);
  if (values.output === undefined) process.stdout.write(text);
  else write(values.output, text);
  for (const { said } of made?.secrets ?? []) process.stderr.write(`anneal export: ${said}: ${WAY_OUT}\n`);
  return (made?.secrets ?? []).length === 0 ? 0 : 1;
}

const WAY_OUT = "revoke the secret and rewrite the branch before you push; if it is not a secret, use anneal dismiss";

function write(file: string, text: string): void {
  try {
    writeResult(file, text);
  } catch (cause) {
    throw new UsageError(`cannot write ${file}: ${errorMessage(cause)}`, { cause });
  }
}

export const command = { help, run };
