import type { ApiItem, ApiProject } from "@anneal/types";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import type { BoardSearch } from "../../../store/search.ts";
import { Button } from "../../ui/button.tsx";
import { INPUT } from "../../ui/field.tsx";
import { KIND_NAMES } from "./constants.ts";
import { Played } from "./played.tsx";

interface ToolbarProps {
  project: string;
  about: ApiProject | undefined;
  items: readonly ApiItem[];
  search: BoardSearch;
  onAdd: () => void;
  onAuto: (auto: boolean) => void;
}

export function Toolbar({ project, about, items, search, onAdd, onAuto }: ToolbarProps) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const set = (change: BoardSearch) => {
    const next = (before: BoardSearch) => chosen({ ...before, ...change });
    void navigate({ to: "/p/$project", params: { project }, search: next, replace: true });
  };
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const waiting = items.filter(({ needsYou }) => needsYou).length;
  useOffer([
    { id: "search", title: "Search the board", group: "Board", key: "/", run: () => field.current?.focus() },
    { id: "add", title: "Add a feature", group: "Board", key: "n", run: onAdd },
    {
      id: "needs-me",
      title: search.needsMe === true ? "Show all cards" : "Show only items that need me",
      group: "Board",
      key: "i",
      run: () => set({ needsMe: search.needsMe !== true }),
    },
  ]);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2">
      <Button look="main" onClick={onAdd}>
        Add feature
      </Button>
      <SearchField field={field} value={search.text ?? ""} onSearch={(text) => set({ text })} />
      {kinds.length < 2 ? null : (
        <select
          aria-label="Kind of work"
          className={INPUT}
          value={search.kind ?? ""}
          onChange={({ target }) => set({ kind: target.value })}
        >
          <option value="">All kinds</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_NAMES[kind] ?? kind}
            </option>
          ))}
        </select>
      )}
      <Button
        aria-pressed={search.needsMe === true}
        className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
        onClick={() => set({ needsMe: search.needsMe !== true })}
      >
        Needs me {waiting}
      </Button>
      <span className="ml-auto" />
      <Played project={project} />
      {about === undefined ? null : (
        <label className="flex items-center gap-2 text-sm" title="Start features from the backlog automatically">
          <input
            type="checkbox"
            checked={about.auto}
            onChange={({ target }) => onAuto(target.checked)}
            className="size-4 accent-accent"
          />
          Auto mode
        </label>
      )}
    </div>
  );
}

/** What is not chosen does not stand in the address. */
function chosen(search: BoardSearch): BoardSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== "" && value !== false));
}

interface SearchFieldProps {
  field: RefObject<HTMLInputElement | null>;
  value: string;
  onSearch: (text: string) => void;
}

/** The address follows what is typed; while somebody types, nothing follows the address, which may be a letter behind. */
function SearchField({ field, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value);
  }, [field, value]);
  return (
    <input
      ref={field}
      type="search"
      aria-label="Search the board"
      placeholder="Search titles, ids, branches"
      className={`${INPUT} w-64 max-w-full`}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onSearch(target.value);
      }}
      onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
    />
  );
}
