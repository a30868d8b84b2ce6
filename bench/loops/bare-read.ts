import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** What reading a log costs at the least: every event selected and parsed, by nobody's engine. Time in ms. */
export async function bareRead([root = ""]: string[]): Promise<{ ms: number; events: number }> {
  const began = performance.now();
  const db = new DatabaseSync(join(root, ".git/anneal/log.db"), { readOnly: true });
  const events: unknown[] = [];
  for (const row of db.prepare("SELECT * FROM events ORDER BY seq").iterate()) {
    events.push({ ...row, body: JSON.parse(String(row.body)) });
  }
  db.close();
  return { ms: performance.now() - began, events: events.length };
}
