import type { Clock } from "@anneal/adapters";
import { notificationsShown, sendTestMessage } from "@anneal/engine/notify";
import type { ApiNotifications, ApiNotifyTest, NotifyChannel } from "@anneal/types";
import type { ServedProject } from "../projects/served-project.ts";
import type { LiveSettings } from "../settings/live-settings.ts";

/** Seed 001's notification service: what people can be told over, and a test. The owner of the project sends the messages. */
export class NotificationService {
  readonly #project: ServedProject;
  readonly #settings: LiveSettings;
  readonly #clock: Clock;

  constructor(project: ServedProject, settings: LiveSettings, clock: Clock) {
    this.#project = project;
    this.#settings = settings;
    this.#clock = clock;
  }

  async channels(): Promise<ApiNotifications> {
    return notificationsShown(await this.#settings.load(this.#project.root), this.#project.store);
  }

  async sendTest(channel: NotifyChannel): Promise<ApiNotifyTest> {
    const { root, repo, store, closing: signal } = this.#project;
    const settings = await this.#settings.load(root);
    return await sendTestMessage(channel, { repo, store, clock: this.#clock, settings, signal });
  }
}
