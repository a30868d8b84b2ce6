import { errorMessage } from "@anneal/types/unknown";
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
        title="Agents"
        about="The Agents tab shows which are ready on this machine."
        settings={settings}
        rows={CAST}
      />
      <SettingSection title="Checks and workspaces" settings={settings} rows={CHECKS} />
      <SettingSection
        title="Limits"
        about="At a limit the loop stops and asks you. Empty means no limit here; a policy can have its own."
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
      toast.error(errorMessage(error));
    }
  };
  return (
    <Section title="Auto mode">
      <div className="py-3">
        <Field
          label="Start features automatically"
          help={
            about?.owned === false
              ? "Another process runs the loops of this project and decides whether features start automatically."
              : "On: features start from the backlog in order when a slot is free. Takes effect at once."
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
