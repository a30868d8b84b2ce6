import { Switch } from "radix-ui";
import { INPUT } from "../../../ui/field.tsx";
import type { Control } from "../model/setting.ts";

interface ControlProps {
  label: string;
  control: Control;
  raw: unknown;
  disabled: boolean;
  labels: { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };
  onChange: (raw: unknown) => void;
}

export function SettingControl({ label, control, raw, disabled, labels, onChange }: ControlProps) {
  const text = typeof raw === "string" ? raw : "";
  switch (control.kind) {
    case "switch":
      return <OnOff labels={labels} isOn={raw === true} disabled={disabled} onChange={onChange} />;
    case "number":
      return (
        <div className="flex items-center gap-2">
          <input
            {...labels}
            inputMode={control.isWhole ? "numeric" : "decimal"}
            className={`${INPUT} w-32`}
            value={text}
            disabled={disabled}
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="text-sm text-muted">{control.unit}</span>
        </div>
      );
    case "choice":
      return (
        <select
          {...labels}
          className={`${INPUT} w-auto max-w-full self-start`}
          value={text}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
        >
          {text === "" ? <option value="">not set</option> : null}
          {control.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      );
    case "several":
      return (
        <Several label={label} control={control} chosen={raw} disabled={disabled} labels={labels} onChange={onChange} />
      );
    case "lines":
      return (
        <textarea
          {...labels}
          className={`${INPUT} w-full font-mono`}
          rows={Math.min(8, Math.max(2, text.split("\n").length))}
          placeholder={control.example === undefined ? undefined : `such as ${control.example}`}
          value={text}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    default:
      return (
        <input
          {...labels}
          className={`${INPUT} w-full ${control.kind === "command" ? "font-mono" : ""}`}
          placeholder={
            control.kind === "text" && control.example !== undefined ? `such as ${control.example}` : undefined
          }
          spellCheck={false}
          value={text}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
        />
      );
  }
}

export function OnOff({
  labels,
  isOn,
  disabled,
  words = ["Off", "On"],
  onChange,
}: {
  labels: Partial<ControlProps["labels"]> & { "aria-label"?: string };
  isOn: boolean;
  disabled: boolean;
  words?: readonly [string, string];
  onChange: (isOn: boolean) => void;
}) {
  const { "aria-invalid": _, ...rest } = labels;
  return (
    <div className="flex items-center gap-2">
      <Switch.Root
        {...rest}
        checked={isOn}
        disabled={disabled}
        onCheckedChange={onChange}
        className="relative h-5 w-9 shrink-0 rounded-full border border-muted bg-raised transition-colors disabled:cursor-not-allowed disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-muted transition-transform data-[state=checked]:translate-x-[1.05rem] data-[state=checked]:bg-on-accent" />
      </Switch.Root>
      <span aria-hidden className="text-sm text-muted">
        {isOn ? words[1] : words[0]}
      </span>
    </div>
  );
}

function Several({
  label,
  control,
  chosen,
  disabled,
  labels,
  onChange,
}: Omit<ControlProps, "control" | "raw"> & { control: Extract<Control, { kind: "several" }>; chosen: unknown }) {
  const values: unknown[] = Array.isArray(chosen) ? chosen : [];
  const known = control.options.map(({ value }) => value);
  return (
    <fieldset aria-label={label} aria-describedby={labels["aria-describedby"]} className="flex flex-wrap gap-4">
      {control.options.map(({ value, label }) => (
        <label key={value} className="flex items-center gap-1.5 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={values.includes(value)}
            disabled={disabled}
            onChange={({ target }) =>
              onChange(
                [...values.filter((one) => one !== value), ...(target.checked ? [value] : [])].sort(byOrder(known)),
              )
            }
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function byOrder(known: readonly string[]) {
  return (a: unknown, b: unknown) => known.indexOf(String(a)) - known.indexOf(String(b));
}
