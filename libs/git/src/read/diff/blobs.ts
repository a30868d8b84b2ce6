import { isUtf8 } from "node:buffer";
import { GitError } from "../../run/errors.ts";
import { exited, type GitProcess, spawnGit } from "../../run/run.ts";

/** Reads blobs by id through one git process that lives until `close`. */
export interface GitBlobs {
  /** The text of a blob, or null where it is missing, too large, binary or not UTF-8. */
  read(oid: string): Promise<string | null>;
  /** The bytes of a blob, or null where it is missing or too large. */
  bytes(oid: string): Promise<Buffer | null>;
  /** The size of a blob in bytes, or null where it is missing. */
  size(oid: string): Promise<number | null>;
  close(): void;
}

export const BLOB_LIMIT = 5 * 1024 * 1024;

/** Opens a reader; git is only started by the first read. */
export function openBlobs(root: string, limit = BLOB_LIMIT): GitBlobs {
  let session: Session | null = null;
  let state: "open" | "closed" = "open";

  async function ask(command: "info" | "contents", oid: string): Promise<Answer | null> {
    if (state === "closed") throw new GitError("failed", "the blob reader is closed: open another one");
    if (!/^[0-9a-f]{40,64}$/.test(oid) || /^0+$/.test(oid)) return null;
    session ??= new Session(root);
    const answer = await session.ask(command, oid);
    return answer.type === "blob" ? answer : null;
  }

  const size = async (oid: string) => (await ask("info", oid))?.size ?? null;
  const bytes = async (oid: string) => {
    // Asking for the size first keeps a huge blob from ever going through the pipe.
    const length = await size(oid);
    if (length === null || length > limit) return null;
    return (await ask("contents", oid))?.content ?? null;
  };
  return {
    size,
    bytes,
    async read(oid) {
      const content = await bytes(oid);
      if (content === null || content.includes(0) || !isUtf8(content)) return null;
      return content.toString("utf8");
    },
    close() {
      state = "closed";
      session?.stop();
    },
  };
}

interface Answer {
  type: string;
  size: number;
  content: Buffer;
}

interface Waiting {
  command: "info" | "contents";
  resolve(answer: Answer): void;
  reject(error: GitError): void;
}

/** The conversation with `git cat-file --batch-command`: answers come in the order of the questions. */
class Session {
  readonly #child: GitProcess;
  readonly #waiting: Waiting[] = [];
  #chunks: Buffer[] = [];
  #buffered = 0;
  #needed = 0;
  #over: GitError | null = null;

  constructor(root: string) {
    this.#child = spawnGit({ cwd: root, args: ["cat-file", "--batch-command"] });
    this.#child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    exited(this.#child, root).then(
      ({ stderr }) => this.#fail(new GitError("failed", `the blob reader ended: ${stderr || "it was closed"}`)),
      (error: GitError) => this.#fail(error),
    );
  }

  ask(command: Waiting["command"], oid: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#waiting.push({ command, resolve, reject });
      this.#child.stdin.write(`${command} ${oid}\n`);
    });
  }

  stop(): void {
    this.#fail(new GitError("failed", "the blob reader was closed during a read"));
    this.#child.stdin.destroy();
    this.#child.kill();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered < this.#needed) return;
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    for (let used = this.#answer(bytes); used > 0; used = this.#answer(bytes)) bytes = bytes.subarray(used);
    this.#chunks = bytes.length > 0 ? [bytes] : [];
    this.#buffered = bytes.length;
  }

  /** Hands over one whole answer and gives its length, or 0 where more bytes are needed. */
  #answer(bytes: Buffer): number {
    this.#needed = 0;
    const waiting = this.#waiting[0];
    const headerEnd = bytes.indexOf(10);
    if (!waiting || headerEnd < 0) return 0;
    const [, type = "", size = "0"] = bytes.toString("latin1", 0, headerEnd).split(" ");
    const found = type !== "missing" && waiting.command === "contents";
    const contentEnd = headerEnd + 1 + (found ? Number(size) : 0);
    const total = found ? contentEnd + 1 : contentEnd;
    if (bytes.length < total) {
      this.#needed = total;
      return 0;
    }
    this.#waiting.shift();
    waiting.resolve({ type, size: Number(size), content: bytes.subarray(headerEnd + 1, contentEnd) });
    return total;
  }

  #fail(error: GitError): void {
    this.#over ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#over);
  }
}
