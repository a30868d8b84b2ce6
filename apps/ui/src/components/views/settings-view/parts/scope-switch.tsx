import { ToggleGroup } from "radix-ui";
import type { Scope } from "../model/setting.ts";

const SCOPES = [
  { value: "project", label: "This project", about: "The project's own file; it overrides the global settings" },
  { value: "global", label: "Global", about: "For every project that does not override them" },
] as const;

export function ScopeSwitch({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label="Which settings"
      value={scope}
      onValueChange={(next) => (next === "global" || next === "project") && onChange(next)}
      className="flex rounded-md border border-line p-0.5"
    >
      {SCOPES.map(({ value, label, about }) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          title={about}
          className="rounded px-2.5 py-0.5 text-sm text-muted hover:text-ink data-[state=on]:bg-accent-soft data-[state=on]:font-medium data-[state=on]:text-accent"
        >
          {label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
