import type { ApiPromptKey, ApiPromptLint } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { promptPreviewQuery } from "./prompt-queries.ts";

const PAUSE_MS = 400;

/** What should be corrected in a text, asked for when the person has paused. */
export function PromptLint({ project, promptKey, text }: { project: string; promptKey: ApiPromptKey; text: string }) {
  const settled = useSettled(text);
  const { data } = useQuery({
    ...promptPreviewQuery(project, promptKey, settled),
    placeholderData: (before) => before,
  });
  const notes = data === undefined ? [] : notesOf(data.lint);
  return (
    <ul aria-live="polite" className="mt-2 flex flex-col gap-1 text-xs empty:hidden">
      {notes.map(({ tone, note }) => (
        <li key={note} className={tone === "warn" ? "rounded bg-warn-soft px-2 py-1 text-warn" : "text-muted"}>
          {note}
        </li>
      ))}
    </ul>
  );
}

function notesOf({ unknown, missing }: ApiPromptLint): { tone: "warn" | "muted"; note: string }[] {
  return [
    ...unknown.map(({ name, line, column }) => ({
      tone: "warn" as const,
      note: `unknown placeholder {${name}} (line ${line}, column ${column}); it is sent to the reviewer unchanged`,
    })),
    ...missing.map((name) => ({
      tone: "muted" as const,
      note: `{${name}} is not used; its content is added below your text`,
    })),
  ];
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
