import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface GitOverHttp {
  /** The bare repository, whatever the path names. */
  dir: string;
  path: string;
  query: string;
  /** What comes with a request that is let in. */
  password: string;
}

/** Serves a repository with git's own server program, to those who know the password. */
export async function gitOverHttp(
  incoming: IncomingMessage,
  response: ServerResponse,
  { dir, path, query, password }: GitOverHttp,
): Promise<void> {
  const [, given = ""] = /^Basic (.+)$/.exec(incoming.headers.authorization ?? "") ?? [];
  if (Buffer.from(given, "base64").toString("utf8").split(":")[1] !== password) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end();
    return;
  }
  const { PATH, HOME } = process.env;
  const child = spawn("git", ["-c", "http.receivepack=true", "http-backend"], {
    env: {
      PATH,
      HOME,
      GIT_PROJECT_ROOT: dir,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: incoming.method,
      CONTENT_TYPE: incoming.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: String(incoming.headers["content-encoding"] ?? ""),
      HTTP_GIT_PROTOCOL: String(incoming.headers["git-protocol"] ?? ""),
      REMOTE_USER: "anneal",
    },
  });
  incoming.pipe(child.stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  const end = all.indexOf("\r\n\r\n");
  const headers = all.subarray(0, end).toString("latin1").split("\r\n");
  let status = 200;
  for (const line of headers) {
    const [name = "", value = ""] = line.split(/: (.*)/s);
    if (name.toLowerCase() === "status") status = Number(value.slice(0, 3));
    else response.setHeader(name, value);
  }
  response.writeHead(status).end(all.subarray(end + 4));
}
