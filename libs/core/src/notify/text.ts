import type { NotifyMessage } from "@anneal/types";

/** A message as plain text. */
export function textOf({ title, summary, link, command, project }: NotifyMessage): string {
  const ways = [...(link === null ? [] : [link]), ...(command === null ? [] : [`Look: ${command}`])];
  return [title, "", ...summary.map((line) => `- ${line}`), "", ...ways, `Project: ${project}`, ""].join("\n");
}

/** The same as a small page. */
export function htmlOf({ title, summary, link, command, project }: NotifyMessage): string {
  const head = link === null ? escaped(title) : `<a href="${escaped(link)}">${escaped(title)}</a>`;
  const lines = summary.map((line) => `<li>${escaped(line)}</li>`).join("");
  const look = command === null ? "" : `<p>Look: <code>${escaped(command)}</code></p>`;
  return `<h3>${head}</h3><ul>${lines}</ul>${look}<p>Project: ${escaped(project)}</p>`;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/gu, (character) => ESCAPES[character] ?? character);
}
