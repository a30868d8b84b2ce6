import { Tabs } from "radix-ui";
import type { TabProps } from "../parts/use-settings.ts";
import { CodeReviewSection } from "./code-review-section.tsx";

/** Prompts that people may word themselves, a tab for each kind of work. */
export function PromptCustomizationSection({ settings }: TabProps) {
  return (
    <Tabs.Root defaultValue="code-review" className="flex flex-col gap-4">
      <Tabs.List aria-label="Prompts" className="flex gap-1">
        <Tabs.Trigger
          value="code-review"
          className="rounded-md px-3 py-1 text-sm text-muted data-[state=active]:bg-accent-soft data-[state=active]:font-medium data-[state=active]:text-accent"
        >
          Code Review
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="code-review" tabIndex={-1}>
        <CodeReviewSection settings={settings} />
      </Tabs.Content>
    </Tabs.Root>
  );
}
