import { useState } from "react";
import { dropDraft, isLike, keepDraft, keptDraft } from "./kept-drafts.ts";

export interface Written<T> {
  value: T;
  /** Whether there is something that would be missed. */
  isDirty: boolean;
  set(next: T): void;
  /** It was sent, or the person does not want it any more. */
  forget(): void;
}

/** What somebody is writing. It is kept in the browser until it is sent or discarded: neither Escape nor a reload takes it away. */
export function useDraft<T extends string | object>(
  name: string,
  start: T,
  isEmpty: (value: T) => boolean = (value) => JSON.stringify(value) === JSON.stringify(start),
): Written<T> {
  const [value, setValue] = useState<T>(() => {
    const kept = keptDraft(name);
    return isLike(start, kept) ? kept : start;
  });
  return {
    value,
    isDirty: !isEmpty(value),
    set(next) {
      setValue(next);
      if (isEmpty(next)) dropDraft(name);
      else keepDraft(name, next);
    },
    forget() {
      setValue(start);
      dropDraft(name);
    },
  };
}
