import type { ApiPrompt } from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";
import { useId, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { INPUT } from "../../../ui/field.tsx";
import { promptPath } from "../model/all-settings.ts";
import { OnOff } from "../parts/setting-control.tsx";
import { Source } from "../parts/setting-row.tsx";
import type { SettingsForm } from "../parts/use-settings.ts";
import { DefaultDiff } from "./default-diff.tsx";
import { PromptLint } from "./prompt-lint.tsx";
import { PromptPreview } from "./prompt-preview.tsx";

/** One prompt: the default to read, or a text of one's own to write. */
export function PromptEditor({
  prompt,
  settings,
  onReset,
}: {
  prompt: ApiPrompt;
  settings: SettingsForm;
  onReset: () => void;
}) {
  const id = useId();
  const [look, setLook] = useState<"text" | "diff">("text");
  const [isPreviewing, setPreviewing] = useState(false);
  const { key, title, variables } = prompt;
  const field = settings.field({ path: promptPath(key), label: title, help: "", control: { kind: "prompt" } });
  const word = wordIn(field.raw);
  const text = word.enabled ? word.value : prompt.default;
  const isLocked = settings.locked !== null;
  // The text is kept while it is switched off; the first one begins as a copy of the default.
  const use = (enabled: boolean) =>
    field.set({ ...word, enabled, value: enabled && word.value === "" ? prompt.default : word.value });
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-md border border-line bg-panel p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 id={`${id}-title`} className="font-semibold">
            {title}
          </h2>
          <div className="mt-1">
            <OnOff
              labels={{ "aria-label": `Use custom ${title.toLowerCase()}` }}
              isOn={word.enabled}
              disabled={isLocked}
              words={["Use Default", "Use Custom"]}
              onChange={use}
            />
          </div>
        </div>
        <Source label={title} control={{ kind: "prompt" }} field={field} locked={isLocked} />
      </div>
      {look === "diff" ? (
        <DefaultDiff was={prompt.default} now={text} />
      ) : (
        <textarea
          aria-label={word.enabled ? title : `${title}, the default`}
          aria-describedby={`${id}-count`}
          className={`${INPUT} mt-3 h-72 w-full resize-y font-mono text-xs read-only:bg-raised read-only:text-muted`}
          readOnly={!word.enabled || isLocked}
          spellCheck={false}
          value={text}
          onChange={({ target }) => field.set({ ...word, value: target.value })}
        />
      )}
      {field.problem === undefined ? null : (
        <p role="alert" className="mt-1 text-xs text-bad">
          {field.problem}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <p id={`${id}-count`} className="mr-auto text-xs text-muted">
          {text.length.toLocaleString("en-US")} characters{word.enabled ? "" : ", read-only"}
        </p>
        <Button
          aria-pressed={look === "diff"}
          disabled={!word.enabled}
          onClick={() => setLook(look === "diff" ? "text" : "diff")}
          title="Show which lines differ from the default"
        >
          {look === "diff" ? "Back to the text" : "Compare with default"}
        </Button>
        <Button onClick={() => setPreviewing(true)} title="Show the prompt as a reviewer reads it">
          Preview…
        </Button>
        <Button
          disabled={isLocked || !field.isOwn}
          onClick={onReset}
          title={`Remove your text from the ${settings.place.scope} settings`}
        >
          Reset to Default
        </Button>
      </div>
      <PromptLint project={settings.place.project} promptKey={key} text={text} />
      {variables.length === 0 ? null : (
        <details className="mt-2 text-xs text-muted">
          <summary className="cursor-pointer">Placeholders</summary>
          <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
            {variables.map(({ name, about }) => (
              <div key={name} className="contents">
                <dt className="font-mono">{`{${name}}`}</dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {isPreviewing ? (
        <PromptPreview
          project={settings.place.project}
          promptKey={key}
          title={title}
          text={text}
          onClose={() => setPreviewing(false)}
        />
      ) : null}
    </section>
  );
}

function wordIn(raw: unknown): { enabled: boolean; value: string } {
  if (!isRecord(raw)) return { enabled: false, value: "" };
  return { ...raw, enabled: raw.enabled === true, value: typeof raw.value === "string" ? raw.value : "" };
}
