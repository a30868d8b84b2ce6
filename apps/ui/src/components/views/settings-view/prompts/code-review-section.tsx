import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { promptsQuery } from "../../../../api/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failed, Loading } from "../../../ui/state.tsx";
import { useBusy } from "../../../ui/use-busy.ts";
import { promptPath } from "../model/all-settings.ts";
import { undo, writeNow } from "../model/drafts.ts";
import type { SettingsForm, TabProps } from "../parts/use-settings.ts";
import { PromptEditor } from "./prompt-editor.tsx";

/** The two prompts of a code review: each the default, or a text of one's own. */
export function CodeReviewSection({ settings }: TabProps) {
  const { place, file, locked } = settings;
  const prompts = useQuery(promptsQuery(place.project));
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  if (prompts.error !== null)
    return <Failed what="the prompts" error={prompts.error} onRetry={() => void prompts.refetch()} />;
  if (prompts.data === undefined) return <Loading what="the prompts" />;
  const all = prompts.data.prompts;
  const hasOwn = (key: string) => settings.field(promptSetting(key)).isOwn;
  const reset = async (keys: readonly string[]) => {
    for (const key of keys) undo(place, promptPath(key));
    if (await writeNow(place, file, new Map(keys.map((key) => [promptPath(key), null]))))
      toast.success(keys.length === 1 ? "The prompt is reset." : "All code review prompts were reset.");
    setAsked(null);
  };
  return (
    <div className="flex flex-col gap-8">
      <p className="text-sm text-muted">
        Saved changes apply to every review that starts afterwards. The change, the project&apos;s context files and the
        form of the answer are added by themselves.
      </p>
      {all.map((prompt) => (
        <PromptEditor
          key={`${place.scope} ${prompt.key}`}
          prompt={prompt}
          settings={settings}
          onReset={() => setAsked([prompt.key])}
        />
      ))}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="text-sm text-muted">Removes all your code review texts from these settings.</p>
        <Button
          look="danger"
          disabled={locked !== null || !all.some(({ key }) => hasOwn(key))}
          onClick={() => setAsked(all.map(({ key }) => key))}
        >
          Reset All Code Review Prompts
        </Button>
      </div>
      <ResetDialog keys={asked} settings={settings} onClose={() => setAsked(null)} onReset={reset} />
    </div>
  );
}

function ResetDialog({
  keys,
  settings,
  onClose,
  onReset,
}: {
  keys: readonly string[] | null;
  settings: SettingsForm;
  onClose: () => void;
  onReset: (keys: readonly string[]) => Promise<void>;
}) {
  const { busy, run } = useBusy();
  const isAll = (keys?.length ?? 0) > 1;
  const lower = settings.place.scope === "project" ? "the global text or the default" : "the default";
  return (
    <Dialog
      title={isAll ? "Reset all code review prompts?" : "Reset this prompt?"}
      description={`${isAll ? "Your texts are" : "Your text is"} removed from the ${settings.place.scope} settings and cannot be restored. New reviews use ${lower}.`}
      open={keys !== null}
      onClose={onClose}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep {isAll ? "them" : "it"}</Button>
        <Button acts look="danger" disabled={busy} onClick={() => void run(() => onReset(keys ?? []))}>
          {isAll ? "Reset all" : "Reset it"}
        </Button>
      </div>
    </Dialog>
  );
}

function promptSetting(key: string) {
  return { path: promptPath(key), label: "", help: "", control: { kind: "prompt" } } as const;
}
