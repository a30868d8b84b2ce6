import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "../../../../api/api.ts";
import { projectsQuery } from "../../../../api/queries.ts";
import { queries } from "../../../../api/query-client.ts";
import { Field } from "../../../ui/field.tsx";
import { BUDGETS, CAST, CHECKS, RUNNING } from "../model/general-settings.ts";
import { Section, SettingSection } from "../parts/section.tsx";
import { OnOff } from "../parts/setting-control.tsx";
import type { TabProps } from "../parts/use-settings.ts";

export function GeneralTab({ settings }: TabProps) {
  const { scope, project } = settings.place;
  return (
    <>
      {scope === "project" ? <AutoMode project={project} /> : null}
      <SettingSection title="Work" settings={settings} rows={RUNNING} />
      <SettingSection
        title="Who does it"
        about="The Agents tab says who is ready on this machine."
        settings={settings}
        rows={CAST}
      />
      <SettingSection title="Checks and trees" settings={settings} rows={CHECKS} />
      <SettingSection
        title="Limits"
        about="A limit ends at a question to you, never at a dead end. Empty means no limit here; a policy can have its own."
        settings={settings}
        rows={BUDGETS}
      />
      <p className="font-mono text-xs break-all text-muted">{settings.file.file}</p>
    </>
  );
}

/** Auto mode is a state of the server rather than a setting: it holds at once. */
function AutoMode({ project }: { project: string }) {
  const { data: projects } = useQuery(projectsQuery);
  const about = projects?.find(({ id }) => id === project);
  const set = async (auto: boolean) => {
    try {
      await api.send("PATCH", `/api/projects/${encodeURIComponent(project)}`, { auto });
      await queries.invalidateQueries(projectsQuery);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Section title="Auto mode">
      <div className="py-3">
        <Field
          label="Start features by themselves"
          help={
            about?.owned === false
              ? "Another process does the work of this project; it decides."
              : "On: features of the backlog start in order as places are free. It holds at once."
          }
        >
          {(labels) => (
            <OnOff
              labels={labels}
              isOn={about?.auto === true}
              disabled={about === undefined || !about.owned}
              onChange={(auto) => void set(auto)}
            />
          )}
        </Field>
      </div>
    </Section>
  );
}
