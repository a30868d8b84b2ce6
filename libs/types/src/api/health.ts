import { z } from "zod";
import { ProjectId } from "./project-id.ts";

/** Whether the server is alive; needs no login, so it says nothing else. */
export const ApiHealth = z.object({ status: z.literal("ok") });

/** Whether it can do its work: with 200 it can, with 503 the reasons are in `projects`. */
export const ApiReady = z.object({
  ready: z.boolean(),
  /** Whether agents and programs of repositories can be shut in here, and what is not protected where not. */
  sandbox: z.object({ works: z.boolean(), detail: z.string().nullable() }),
  projects: z.array(
    z.object({
      id: ProjectId,
      /** Whether this process does the work, or another one does; nobody where the folder is gone. */
      owner: z.enum(["this-server", "another-process", "nobody"]),
      /** The last event, or why the log cannot be read. */
      log: z.union([z.object({ lastSeq: z.int() }), z.object({ error: z.string() })]),
      freeBytes: z.number().nullable(),
      /** What is wrong with its settings and keeps every new loop from starting. */
      settings: z.array(z.string()),
      /** Why none of its items can run, where the last look at them failed; it is tried again by itself. */
      trouble: z.string().nullable(),
      ready: z.boolean(),
    }),
  ),
});
export type ApiReady = z.infer<typeof ApiReady>;
