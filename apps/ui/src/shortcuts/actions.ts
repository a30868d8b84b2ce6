import { create } from "zustand";

/** Something a person can do here and now: the palette lists it, a key does it, the `?` sheet explains it. */
export interface ShortcutAction {
  id: string;
  title: string;
  /** Where it stands in the palette and in the sheet. */
  group: string;
  /** Its key, unless the person chose another. */
  key?: string | undefined;
  /** Why it cannot be done now; it is listed all the same. */
  blocked?: string | undefined;
  /** It asks something of the server, which cannot be done while that is away. */
  acts?: boolean | undefined;
  run: () => void;
}

interface Actions {
  byOwner: ReadonlyMap<string, readonly ShortcutAction[]>;
  offer(owner: string, actions: readonly ShortcutAction[]): void;
  withdraw(owner: string): void;
}

/** What the screens that are open offer now. A later owner's key wins over an earlier one's. */
export const useActions = create<Actions>()((set) => ({
  byOwner: new Map(),
  offer: (owner, actions) =>
    set(({ byOwner }) => {
      const next = new Map(byOwner);
      next.delete(owner);
      return { byOwner: next.set(owner, actions) };
    }),
  withdraw: (owner) =>
    set(({ byOwner }) => {
      const next = new Map(byOwner);
      next.delete(owner);
      return { byOwner: next };
    }),
}));

export function allActions(byOwner: ReadonlyMap<string, readonly ShortcutAction[]>): ShortcutAction[] {
  return [...byOwner.values()].flat();
}
