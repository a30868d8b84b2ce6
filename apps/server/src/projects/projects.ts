import { Problem } from "../problem.ts";
import { type ServedOptions, ServedProject } from "./served-project.ts";

/** The projects of this server. */
export class Projects {
  readonly #options: Omit<ServedOptions, "root">;
  readonly #open = new Map<string, ServedProject>();

  constructor(options: Omit<ServedOptions, "root">) {
    this.#options = options;
    options.settings.watch(null, async (scope) => {
      for (const project of this.all()) await project.settingsChanged(scope);
    });
  }

  all(): ServedProject[] {
    return [...this.#open.values()];
  }

  get(id: string): ServedProject {
    const project = this.#open.get(id);
    if (project !== undefined) return project;
    throw new Problem("not-found", `there is no project ${id}; known: ${[...this.#open.keys()].join(", ") || "none"}`);
  }

  /** By its folder, which has to be that of a project of this server. */
  at(path: string): ServedProject {
    const project = this.all().find(({ root }) => root === path);
    if (project !== undefined) return project;
    throw new Problem("not-found", "projectPath is not a project of this server; GET /api/projects lists them");
  }

  async add(root: string): Promise<ServedProject> {
    const project = await ServedProject.open({ ...this.#options, root });
    const before = this.#open.get(project.id);
    if (before !== undefined) {
      await project.close();
      return before;
    }
    this.#open.set(project.id, project);
    this.#options.settings.watch(project.root, (scope) => project.settingsChanged(scope));
    return project;
  }

  /** Lets go of all; loops are parked. */
  async close(): Promise<void> {
    const open = this.all();
    this.#open.clear();
    this.#options.settings.close();
    await Promise.all(open.map((project) => project.close()));
  }
}
