import type { ReactNode } from "react";
import type { Setting } from "../model/setting.ts";
import { SettingRow } from "./setting-row.tsx";
import type { SettingsForm } from "./use-settings.ts";

export function Section({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section className="mb-6" aria-label={title}>
      <h2 className="font-semibold">{title}</h2>
      {about === undefined ? null : <div className="mt-0.5 text-sm text-muted">{about}</div>}
      <div className="mt-2 rounded-md border border-line bg-panel px-4">{children}</div>
    </section>
  );
}

export function SettingSection({
  settings,
  rows,
  ...about
}: {
  title: string;
  about?: ReactNode;
  settings: SettingsForm;
  rows: readonly Setting[];
}) {
  return (
    <Section {...about}>
      {rows.map((setting) => (
        <SettingRow key={setting.path} setting={setting} settings={settings} />
      ))}
    </Section>
  );
}
