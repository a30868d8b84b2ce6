import { ToggleGroup } from "radix-ui";
import { useRef, useState } from "react";
import { INPUT } from "../../ui/field.tsx";
import { isBackwards, PRESETS, type Preset, type Range, type RangeSearch } from "./charts/range.ts";

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
      <DayField name="from" value={range.from} max={range.to ?? today} onDay={(from) => own(from, range.to)} />
      <DayField
        name="to"
        value={range.to}
        min={range.from}
        max={today}
        invalid={isBackwards(range)}
        onDay={(to) => own(range.from, to)}
      />
    </div>
  );
}

/** A day that is picked counts at once, one that is typed when it is left or with Enter: half of it is another day. */
function DayField({
  name,
  value,
  min = null,
  max,
  invalid = false,
  onDay,
}: {
  name: string;
  value: string | null;
  min?: string | null;
  max: string;
  invalid?: boolean;
  onDay: (day: string | null) => void;
}) {
  const [draft, setDraft] = useState(value ?? "");
  const [shown, setShown] = useState(value);
  const isTyped = useRef(false);
  if (shown !== value) {
    setShown(value);
    setDraft(value ?? "");
  }
  const say = (text: string) => {
    const day = text === "" ? null : text;
    if (day !== value) onDay(day);
  };
  const finish = (input: HTMLInputElement) => {
    if (!isTyped.current) return;
    isTyped.current = false;
    // Half a day is none: what was there before stands again.
    if (input.validity.badInput) input.value = value ?? "";
    else say(input.value);
  };
  return (
    <label className="flex items-center gap-1.5 text-sm text-muted">
      {name}
      <input
        type="date"
        className={`${INPUT} w-auto`}
        min={min ?? undefined}
        max={max}
        aria-invalid={invalid}
        value={draft}
        onPointerDown={() => {
          isTyped.current = false;
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") finish(currentTarget);
          else if (key !== "Tab") isTyped.current = true;
        }}
        onChange={({ target }) => {
          setDraft(target.value);
          if (!isTyped.current) say(target.value);
        }}
        onBlur={({ target }) => finish(target)}
      />
    </label>
  );
}
