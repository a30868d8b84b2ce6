import { isAbsolute, resolve } from "node:path";
import { STREAM_CLOSED } from "@anneal/types";
import { RequestProblem } from "../problem.ts";
import { type ServedOptions, ServedProject } from "./served-project.ts";

/** The projects of this server. */
export class Projects {
  readonly #options: Omit<ServedOptions, "root">;
  readonly #open = new Map<string, ServedProject>();
  #closed: Promise<void> | null = null;
  /** The folders as they were named, which may be links, with the ids of their projects. */
  readonly #named = new Map<string, string>();

  constructor(options: Omit<ServedOptions, "root">) {
    this.#options = options;
    options.settings.watch(null, async (scope) => {
      await options.mask.upToDate();
      for (const project of this.all()) await project.settingsChanged(scope);
    });
  }

  all(): ServedProject[] {
    return [...this.#open.values()];
  }

  /** Whether the server stops: whoever comes now has to come back. */
  get closing(): boolean {
    return this.#closed !== null;
  }

  get(id: string): ServedProject {
    if (this.closing) throw stopping();
    const project = this.#open.get(id);
    if (project !== undefined) return present(project);
    throw new RequestProblem(
      "not-found",
      `there is no project ${id}; known: ${[...this.#open.keys()].join(", ") || "none"}`,
    );
  }

  /** By its folder, which has to be that of a project of this server. */
  at(path: string): ServedProject {
    if (this.closing) throw stopping();
    const project = this.#open.get(this.idAt(path) ?? "");
    if (project !== undefined) return present(project);
    throw new RequestProblem(
      "not-found",
      "projectPath is not a project of this server; list them with GET /api/projects",
    );
  }

  /** The id of the project in a folder, as it was named or as it really is. */
  idAt(path: string): string | undefined {
    const folder = isAbsolute(path) ? resolve(path) : path;
    return this.all().find(({ id, root }) => root === folder || this.#named.get(folder) === id)?.id;
  }

  async add(root: string): Promise<ServedProject> {
    const project = await ServedProject.open({ ...this.#options, root });
    this.#named.set(resolve(root), project.id);
    const before = this.#open.get(project.id);
    if (before !== undefined) {
      await project.close();
      return before;
    }
    this.#open.set(project.id, project);
    this.#options.settings.watch(project.root, (scope) => project.settingsChanged(scope));
    return project;
  }

  /** Lets go of all; loops are parked. They stay known: nobody who asks meanwhile may take them for gone. */
  close(): Promise<void> {
    this.#closed ??= this.#letGo();
    return this.#closed;
  }

  async #letGo(): Promise<void> {
    this.#options.settings.close();
    await Promise.all(this.all().map((project) => project.close()));
  }
}

export function stopping(): RequestProblem {
  return new RequestProblem("unavailable", STREAM_CLOSED[1001]);
}

/** The project, unless its folder is gone. */
export function present(project: ServedProject): ServedProject {
  if (!project.isGone()) return project;
  throw new RequestProblem("unavailable", project.goneText);
}
