import { loadSettings } from "@anneal/adapters/files";
import { analyticsKeeper } from "../analytics/index.ts";
import type { AppendedEvent } from "../history/appended-event.ts";
import type { ProjectParts } from "../items/prepare.ts";
import { Notifications } from "../notify/notifications.ts";
import { notifierFor } from "../notify/notifier-for.ts";

/** What follows the loops of a project and never holds them up: analytics, and messages to people. */
export interface Bystanders {
  received(appended: AppendedEvent): void;
  /** Until people were told what they can be told now. */
  told(): Promise<void>;
  close(): Promise<void>;
}

export function bystanders(
  parts: Pick<ProjectParts, "repo" | "store" | "features" | "clock">,
  troubleWith: (item: string) => (error: unknown) => void,
): Bystanders {
  const { root } = parts.repo;
  const analytics = analyticsKeeper({ root, store: parts.store, onTrouble: troubleWith("analytics") });
  const notifications = new Notifications({
    ...parts,
    root,
    settings: () => loadSettings(root),
    notifierFor: (channel, settings) => notifierFor(channel, settings, parts),
    onTrouble: (item, message) => troubleWith(item)(message),
  });
  return {
    received(appended) {
      analytics.received(appended);
      const { stage } = appended.after;
      if (stage === "waiting-for-human" || stage === "ended") notifications.look();
    },
    told: () => notifications.settled(),
    async close() {
      await notifications.close();
      await analytics.close();
    },
  };
}
