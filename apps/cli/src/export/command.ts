import { parseArgs } from "node:util";
import { certificate } from "@anneal/core/write";
import { UsageError } from "@anneal/engine";
import { onlyId, withItem } from "../project/one-item.ts";
import { json } from "../project/output.ts";
import { writeResult } from "../review/write-result.ts";

const help = `anneal export: the certificate of a feature's last loop

  anneal export ID                  as JSON on standard output (--json is the same)
  anneal export ID --output FILE    into a file

What was reviewed (base, head), under which policy (with its hash), by whom, in which rounds, with which findings and rulings, which
checks ran and what they came to, at what cost, and the verdict. "holds" is true only while the branch stands at the head that passed.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    // It is JSON in any case; whoever asks every command for that need not know.
    options: { output: { type: "string" }, json: { type: "boolean" } },
  });
  const name = onlyId(positionals, "export");
  const text = await withItem(name, async ({ repo }, { id }, loop) => {
    if (loop === null) throw new UsageError(`${id} has no loop yet, so there is nothing to certify; anneal run ${id}`);
    const { title, branch } = loop.row.summary;
    const branchHead = branch === null ? null : await repo.resolve(`refs/heads/${branch}`).catch(() => null);
    const events = loop.events.map(({ event }) => event);
    return json(certificate({ events, state: loop.state, title, branch, branchHead }));
  });
  if (values.output === undefined) process.stdout.write(text);
  else write(values.output, text);
  return 0;
}

function write(file: string, text: string): void {
  try {
    writeResult(file, text);
  } catch (cause) {
    throw new UsageError(`cannot write ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

export const command = { help, run };
