import { type Document, operationsOf } from "./document.ts";

/** Remembers what routes answered, so that a description that does not say so is found out. */
export function seenStatuses() {
  const seen = new Map<string, { method: string; path: string; status: number }>();
  return {
    add(method: string, path: string, status: number): void {
      const [pathname = ""] = path.split(/[?#]/);
      seen.set(`${method} ${pathname} ${status}`, { method, path: pathname, status });
    },
    /** Those that the routes do not tell of. */
    undocumented(document: Document): string[] {
      const routes = operationsOf(document).map((operation) => ({ ...operation, pattern: patternOf(operation.path) }));
      return [...seen.values()].flatMap(({ method, path, status }) => {
        const asked = routes.filter((route) => route.method === method && route.pattern.test(path));
        const told = asked.length === 0 || asked.some(({ responses }) => responses.includes(String(status)));
        return told ? [] : [`${method} ${asked[0]?.path} answered ${status} to ${path}`];
      });
    },
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
