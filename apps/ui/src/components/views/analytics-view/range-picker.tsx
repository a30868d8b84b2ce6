import { ToggleGroup } from "radix-ui";
import { INPUT } from "../../ui/field.tsx";
import { PRESETS, type Preset, type Range, type RangeSearch } from "./range.ts";

const NAMES: Record<Preset, string> = { "7d": "7 days", "30d": "30 days", "90d": "90 days", all: "All" };

/** Which days: some of the last ones, all, or one's own. */
export function RangePicker({
  range,
  today,
  onChange,
}: {
  range: Range;
  today: string;
  onChange: (search: RangeSearch) => void;
}) {
  const own = (from: string | null, to: string | null) =>
    onChange({ ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) });
  const dateIn = (text: string) => (text === "" ? null : text);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <ToggleGroup.Root
        type="single"
        aria-label="Days"
        value={range.choice}
        onValueChange={(next) => next !== "" && onChange({ from: next })}
        className="flex rounded-md border border-line p-0.5"
      >
        {PRESETS.map((preset) => (
          <ToggleGroup.Item
            key={preset}
            value={preset}
            className="rounded px-2.5 py-0.5 text-sm text-muted hover:text-ink data-[state=on]:bg-accent-soft data-[state=on]:font-medium data-[state=on]:text-accent"
          >
            {NAMES[preset]}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <label className="flex items-center gap-1.5 text-sm text-muted">
        from
        <input
          type="date"
          className={`${INPUT} w-auto`}
          max={range.to ?? today}
          value={range.from ?? ""}
          onChange={({ target }) => own(dateIn(target.value), range.to)}
        />
      </label>
      <label className="flex items-center gap-1.5 text-sm text-muted">
        to
        <input
          type="date"
          className={`${INPUT} w-auto`}
          min={range.from ?? undefined}
          max={today}
          value={range.to ?? ""}
          onChange={({ target }) => own(range.from, dateIn(target.value))}
        />
      </label>
    </div>
  );
}
