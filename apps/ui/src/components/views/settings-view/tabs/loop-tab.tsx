import { isRecord } from "@anneal/types/unknown";
import { useState } from "react";
import { toast } from "sonner";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { writeNow } from "../model/drafts.ts";
import { PULL_REQUESTS, REVIEW_LOOP } from "../model/loop-settings.ts";
import { valueAt } from "../model/values.ts";
import { Section, SettingSection } from "../parts/section.tsx";
import type { SettingsForm, TabProps } from "../parts/use-settings.ts";

export function LoopTab({ settings }: TabProps) {
  return (
    <>
      <SettingSection
        title="Review loop"
        about="How features are reviewed and merged. A running loop keeps its settings."
        settings={settings}
        rows={REVIEW_LOOP}
      />
      <SettingSection title="Pull requests" settings={settings} rows={PULL_REQUESTS} />
      {settings.place.scope === "project" ? <PushConsent settings={settings} /> : null}
    </>
  );
}

/** The person's word that branches may leave the machine: it can be taken back here. */
function PushConsent({ settings }: { settings: SettingsForm }) {
  const [isAsking, setAsking] = useState(false);
  const { place, file, locked } = settings;
  const consent = valueAt(file.settings, "pushConsent");
  const url = isRecord(consent) ? String(consent.url) : null;
  const revoke = async () => {
    setAsking(false);
    if (await writeNow(place, file, new Map([["pushConsent", null]]))) toast.success("Pushing is no longer allowed.");
  };
  return (
    <Section title="Consent to push">
      <div className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm">
        {url === null ? (
          <p className="text-muted">Not given: you are asked when the first branch is ready to push.</p>
        ) : (
          <>
            <p>
              Branches may be pushed to <code className="break-all">{url}</code>
            </p>
            <Button look="danger" disabled={locked !== null} onClick={() => setAsking(true)}>
              Revoke…
            </Button>
          </>
        )}
      </div>
      <Dialog
        title="Revoke the consent?"
        description="Loops will wait for you before they push. What is already pushed stays."
        open={isAsking}
        onClose={() => setAsking(false)}
      >
        <div className="flex justify-end gap-2">
          <Button onClick={() => setAsking(false)}>Keep it</Button>
          <Button acts look="danger" onClick={() => void revoke()}>
            Revoke
          </Button>
        </div>
      </Dialog>
    </Section>
  );
}
