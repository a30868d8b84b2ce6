import { INPUT } from "../../../ui/field.tsx";

interface EndsProps {
  name: string;
  value: string;
  ends: readonly string[];
  onChange: (end: string) => void;
}

/** One end of a diff: the base, the head, or a round. */
export function DiffEnd({ name, value, ends, onChange }: EndsProps) {
  return (
    <select aria-label={name} className={INPUT} value={value} onChange={({ target }) => onChange(target.value)}>
      {ends.map((end) => (
        <option key={end} value={end}>
          {end === "base" ? "base" : end === "head" ? "head" : `round ${end}`}
        </option>
      ))}
    </select>
  );
}
